import type { LoaderFunctionArgs } from '@remix-run/node';
import { translatorFor } from '../../i18n/i18n.server';
import { PolicyPage } from './policy-page';

export const handle = { i18n: ['onboarding'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'onboarding');
  return { title: t('policies.terms.title'), description: t('policies.terms.lead') };
}

export { pageHeaders as headers, titleMeta as meta } from '../../http/page';

export default function TermsPage() {
  return <PolicyPage policy="terms" />;
}
