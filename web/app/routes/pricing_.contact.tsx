import type { MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { ContactSurvey } from '../features/billing/paywall/contact-survey';
import { loadSurvey, sendSurvey } from '../features/billing/paywall/contact-survey.server';

export const handle = { i18n: ['tiers'] };
export const loader = loadSurvey;
export const action = sendSurvey;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function ContactSurveyPage() {
  return <ContactSurvey mailto={useActionData<typeof action>()?.mailto ?? null} />;
}
