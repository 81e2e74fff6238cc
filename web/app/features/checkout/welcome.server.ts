import { type LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { translatorFor } from '../../i18n/i18n.server';
import { flashOf } from '../../session/account-flashes';
import { consumeFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';

/** After a subscription that no photo led to; redirects home without a plan. */
export async function loadWelcome({ request, context }: LoaderFunctionArgs) {
  const user = await fetchMe({ request, context });
  const { role } = user ?? { role: 'guest' };
  if (role !== 'personal' && role !== 'business') {
    throw seeOther('/', request);
  }
  const [t, flash] = await Promise.all([translatorFor(request, 'account'), consumeFlash({ request, context })]);
  return { plan: role, flash: flashOf(flash), title: t('welcome.title') };
}
