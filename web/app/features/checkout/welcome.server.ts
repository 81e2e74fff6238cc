import { data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { flashOf } from '../../session/account-flashes';
import { consumeFlash } from '../../session/flash.server';
import { loadMe } from '../../session/me.server';

/** After a subscription that no photo led to; redirects home without a plan. */
export async function loadWelcome({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const user = await loadMe({ request, context, headers });
  const { role } = user ?? { role: 'guest' };
  if (role !== 'personal' && role !== 'business') {
    throw redirect(preserveVersionParam('/', new URL(request.url).search), { status: 303, headers });
  }
  const [t, flash] = await Promise.all([
    translatorFor(request, 'account'),
    consumeFlash({ request, context, headers }),
  ]);
  return data({ plan: role, flash: flashOf(flash), title: t('welcome.title') }, { headers });
}
