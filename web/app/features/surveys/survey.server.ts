import { randomUUID } from 'node:crypto';
import type { SurveyKind, TrackingData } from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { readFields } from '../../http/form.server';
import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';
import { allowBackCache } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { surveyCookie } from '../../session/surveys.server';
import type { Exchange } from '../../session/visitor.server';
import { sendFromServer } from '../telemetry/operations.server';
import { SURVEY_ADDRESSES, stepIn, surveyAddress } from './survey-address';
import { DECLINE_FIELD } from './survey-fields';
import { parseSurvey } from './survey-form';

export const loadSurvey =
  (survey: SurveyKind) =>
  async ({ request }: LoaderFunctionArgs) => {
    const t = await translatorFor(request, 'surveys');
    const title = t(survey === 'onboarding' ? 'onboarding.title' : 'features.title');
    return data(
      { title, step: stepIn(survey, new URL(request.url).search) },
      { headers: { 'cache-control': 'no-store' } },
    );
  };

/** Stores the answers as an event; the browser isn't asked again. A script ignores the redirect. */
export const answerSurvey =
  (survey: SurveyKind) =>
  async ({ request, context }: ActionFunctionArgs) => {
    const fields = await readFields(request, context);
    const { search } = new URL(request.url);
    const headers = new Headers({ 'cache-control': 'no-store' });
    const exchange = { request, context, headers };
    if (fields.has(DECLINE_FIELD)) {
      await finish({ survey, action: 'declined' }, exchange);
      return redirect(preserveVersionParam(returnAddressIn(search), search), { status: 303, headers });
    }
    const submission = parseSurvey(fields, survey);
    if (submission.status !== 'success')
      return data({ result: submission.reply() }, { status: 422, headers: allowBackCache(new Headers()) });
    await finish({ survey, action: 'end', answers: submission.value }, exchange);
    const from = new URLSearchParams(search).get(RETURN_PARAMETER);
    const address = `${surveyAddress(survey, 'end')}${from ? `&${new URLSearchParams({ [RETURN_PARAMETER]: from })}` : ''}`;
    return redirect(preserveVersionParam(address, search), { status: 303, headers });
  };

async function finish(answer: TrackingData<'survey'>, exchange: Exchange): Promise<void> {
  const { request, context, headers } = exchange;
  headers.append('set-cookie', await surveyCookie(request, context, answer.survey));
  const event = {
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    type: 'UserAction' as const,
    kind: 'survey',
    data: { ...answer },
    info: { path: SURVEY_ADDRESSES[answer.survey] },
  };
  await sendFromServer([event], exchange);
}
