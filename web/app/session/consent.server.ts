import type { AppLoadContext } from '@remix-run/node';
import { answerIn, type ConsentCategory, platformAnswerIn } from '../telemetry/consent-cookie';

/** The categories that the visitor agreed to, in our banner or that of the consent platform; null before an answer. */
export function consentOf(request: Request, { settings }: AppLoadContext): readonly ConsentCategory[] | null {
  const cookies = request.headers.get('cookie');
  return settings.thirdParties.consentPlatform ? platformAnswerIn(cookies) : answerIn(cookies);
}

/** To measurement. */
export const isMeasured = (request: Request, context: AppLoadContext): boolean =>
  consentOf(request, context)?.includes('C0002') ?? false;
