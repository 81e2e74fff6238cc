import { inSeconds, type SurveyKind } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';

/** Lifetime of identifier cookies (spec 1, section 9). */
const cookie = createCookie('clearframe_surveys', {
  path: '/',
  sameSite: 'lax',
  httpOnly: true,
  maxAge: inSeconds.days(730),
});

async function answered(request: Request): Promise<readonly unknown[]> {
  const value: unknown = await cookie.parse(request.headers.get('cookie'));
  return Array.isArray(value) ? value : [];
}

/** Whether this browser has answered or declined a survey. */
export const hasAnsweredSurvey = async (request: Request, survey: SurveyKind): Promise<boolean> =>
  (await answered(request)).includes(survey);

export async function keepAnsweredSurvey(
  request: Request,
  { settings, setCookie }: AppLoadContext,
  survey: SurveyKind,
): Promise<void> {
  const surveys = [...new Set([...(await answered(request)), survey])];
  setCookie(await cookie.serialize(surveys, { secure: settings.publicUrl.protocol === 'https:' }));
}
