import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { LinkingModal } from './linking-modals';
import { isLoginProvider } from './providers';

export const handle = { i18n: ['onboarding'] };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const [attempted, original] = [query.get('attempted'), query.get('original')];
  if (!isLoginProvider(attempted)) return throwPageFor('request.not_found', context);
  const t = await translatorFor(request, 'onboarding');
  return { title: t('linking.title'), attempted, original: isLoginProvider(original) ? original : null };
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function LinkingPage() {
  const { attempted, original } = useLoaderData<typeof loader>();
  return <ModalPage modal="login:linking" with={{ attempted, original }} body={LinkingModal} />;
}
