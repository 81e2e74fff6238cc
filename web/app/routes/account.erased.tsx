import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Erased } from '../features/account/erasure/erased';
import { translatorFor } from '../i18n/i18n.server';

export const handle = { i18n: ['account'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'account');
  return { title: t('erased.title') };
}

export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default Erased;
