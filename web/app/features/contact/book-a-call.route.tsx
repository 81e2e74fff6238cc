import { loadContact, submitContact } from './contact.server';
import { ContactPage } from './contact-page';

export const handle = { i18n: ['support', 'tiers'] };
export const loader = loadContact('call');
export const action = submitContact('call');
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

export default function BookACallPage() {
  return <ContactPage kind="call" />;
}
