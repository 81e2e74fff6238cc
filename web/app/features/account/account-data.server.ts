import {
  PLUGIN_KEYS_MAX,
  pluginKeyRoutes,
  subscriptionRoutes,
  type User,
  videoLimitRoutes,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { orNull } from '../../http/problem.server';
import { languageOf } from '../../i18n/i18n.server';
import { tokenOf } from '../../session/visitor.server';
import type { PluginKeysView } from '../plugin-keys/plugin-keys';
import { pluginKeysOf } from '../plugin-keys/plugin-keys.server';
import { planPriceOfId } from '../settings/plan-prices.server';
import { settingsOf } from '../settings/settings.server';
import { type AccountData, type AccountView, accountViewOf, tabsOf } from './account-view.server';

/**
 * Data of the account's pages, without the payment provider's part when that is unavailable.
 * @throws ApiError
 */
export async function readAccount(user: User | null, request: Request, context: AppLoadContext): Promise<AccountView> {
  const [settings, language, billing, pluginKeys] = await Promise.all([
    settingsOf(request, context),
    languageOf(request),
    readBilling(user, request, context),
    readPluginKeys(user, request, context),
  ]);
  // A past-due subscription gives no plan, but still has its price.
  const priceId = user?.monetization.priceId ?? billing.subscription?.priceId ?? null;
  const price = await planPriceOfId(priceId, context);
  return accountViewOf({ user, settings, price, pluginKeys, ...billing }, language, (address) =>
    browserAddress(address, context.settings),
  );
}

async function readBilling(
  user: User | null,
  request: Request,
  context: AppLoadContext,
): Promise<Pick<AccountData, 'subscription' | 'open' | 'past' | 'video'>> {
  const token = await tokenOf(request, context);
  if (!user || user.isGuest || !token) return { subscription: null, open: [], past: [], video: null };
  const caller = { request, context, token };
  const provider = user.monetization.subscriptionProvider;
  const [subscription, open, past, video] = await Promise.all([
    provider && provider !== 'mobile'
      ? orNull(callApi(subscriptionRoutes.getSubscription, { params: { provider }, query: {} }, caller), caller)
      : null,
    orNull(callApi(subscriptionRoutes.listOpenSubscriptions, {}, caller), caller),
    orNull(callApi(subscriptionRoutes.listPastSubscriptions, { query: {} }, caller), caller),
    orNull(callApi(videoLimitRoutes.getVideoLimits, { query: {} }, caller), caller),
  ]);
  return {
    subscription,
    open: await withPrices(open?.data ?? [], context),
    past: await withPrices(past?.subscriptions ?? [], context),
    video,
  };
}

/** Null without the tab. */
async function readPluginKeys(
  user: User | null,
  request: Request,
  context: AppLoadContext,
): Promise<PluginKeysView | null> {
  if (!tabsOf(user, await settingsOf(request, context)).includes('pluginKey')) return null;
  const [token, language] = await Promise.all([tokenOf(request, context), languageOf(request)]);
  const caller = { request, context, token };
  const list = await orNull(
    callApi(pluginKeyRoutes.listPluginKeys, { query: { limit: PLUGIN_KEYS_MAX } }, caller),
    caller,
  );
  return pluginKeysOf(list?.data ?? null, user, language, context.settings);
}

const withPrices = <Subscription extends { readonly priceId: string | null }>(
  subscriptions: readonly Subscription[],
  context: AppLoadContext,
) =>
  Promise.all(
    subscriptions.map(async (subscription) => ({
      subscription,
      price: await planPriceOfId(subscription.priceId, context),
    })),
  );
