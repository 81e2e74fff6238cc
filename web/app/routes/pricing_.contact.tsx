import { useActionData, useLoaderData } from '@remix-run/react';
import { ContactSurvey } from '../features/billing/paywall/contact-survey';
import { loadSurvey, sendSurvey } from '../features/billing/paywall/contact-survey.server';

export const handle = { i18n: ['tiers', 'support'] };
export const loader = loadSurvey;
export const action = sendSurvey;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function ContactSurveyPage() {
  const answer = useActionData<typeof action>();
  const { email, captchaAction } = useLoaderData<typeof loader>();
  return <ContactSurvey email={email} captchaAction={captchaAction} answer={answer} />;
}
