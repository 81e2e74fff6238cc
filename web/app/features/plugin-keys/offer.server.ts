import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { accountAddress } from '../../session/account-tabs';
import { fetchMe } from '../../session/me.server';
import { settingsOf } from '../settings/settings.server';

export async function loadPluginKeyOffer({ request, context }: LoaderFunctionArgs) {
  const [user, settings, t] = await Promise.all([
    fetchMe({ request, context }),
    settingsOf(request, context),
    translatorFor(request, 'account'),
  ]);
  if (user?.role !== 'business' || !settings.psPlugin) {
    const address = preserveVersionParam(accountAddress('general'), new URL(request.url).search);
    throw redirect(address, 303);
  }
  return { title: t('pluginKey.offer.title') };
}
