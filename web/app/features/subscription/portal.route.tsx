import { useActionData } from '@remix-run/react';
import { ByMail } from './by-mail';
import { loadByMail, submitByMail } from './by-mail.server';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadByMail('portal');
export const action = submitByMail('portal');
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function PortalByMailPage() {
  return <ByMail purpose="portal" step={useActionData<typeof action>()?.step} />;
}
