import type { MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { ByMail } from '../features/billing/subscription/by-mail';
import { loadByMail, submitByMail } from '../features/billing/subscription/by-mail.server';
import { FIRST_STEP } from '../features/billing/subscription/mail-step';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadByMail('cancel');
export const action = submitByMail('cancel');
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function CancelByMailPage() {
  return <ByMail purpose="cancel" step={useActionData<typeof action>()?.step ?? FIRST_STEP} />;
}
