import { useActionData } from '@remix-run/react';
import { ContactSurvey } from '../features/billing/paywall/contact-survey';
import { loadSurvey, sendSurvey } from '../features/billing/paywall/contact-survey.server';

export const handle = { i18n: ['tiers'] };
export const loader = loadSurvey;
export const action = sendSurvey;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function ContactSurveyPage() {
  const answer = useActionData<typeof action>();
  return <ContactSurvey mailto={answer?.mailto ?? null} result={answer?.result ?? null} />;
}
