import { useActionData } from '@remix-run/react';
import { ByMail } from './by-mail';
import { loadByMail, submitByMail } from './by-mail.server';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadByMail('cancel');
export const action = submitByMail('cancel');
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function CancelByMailPage() {
  return <ByMail purpose="cancel" step={useActionData<typeof action>()?.step} />;
}
