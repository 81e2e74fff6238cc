import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { PolicyPage } from '../features/shell/policy-page';
import { translatorFor } from '../i18n/i18n.server';

export const handle = { i18n: ['onboarding'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'onboarding');
  return { title: t('policies.terms.title'), description: t('policies.terms.lead') };
}

export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'description', content: loaded?.description },
];

export default function TermsPage() {
  return <PolicyPage policy="terms" />;
}
