import { loadContact, submitContact } from './contact.server';
import { ContactPage } from './contact-page';

export const handle = { i18n: ['support', 'tiers'] };
export const loader = loadContact('message');
export const action = submitContact('message');
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

export default function HelpContactPage() {
  return <ContactPage kind="message" />;
}
