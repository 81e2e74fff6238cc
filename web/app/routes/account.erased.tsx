import type { LoaderFunctionArgs } from '@remix-run/node';
import { Erased } from '../features/account/erasure/erased';
import { translatorFor } from '../i18n/i18n.server';

export const handle = { i18n: ['account'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'account');
  return { title: t('erased.title') };
}

export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default Erased;
