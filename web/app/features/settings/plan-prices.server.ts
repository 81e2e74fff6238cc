import { type PlanPrice, priceOf, priceRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { ApiError, callApi } from '../../http/api.server';

/** Never invalidated: a price id keeps its price. */
const cache = new Map<string, PlanPrice>();

/**
 * The plan price of a provider's price id, current or former, in any currency; null for packs and unknown ids, such as
 * those of app stores.
 * @throws ApiError
 */
export async function planPriceOfId(priceId: string | null, context: AppLoadContext): Promise<PlanPrice | null> {
  if (priceId === null) return null;
  const key = `${context.settings.apiUrl} ${priceId}`;
  const price = cache.get(key) ?? (await fetchPlanPrice(priceId, context));
  if (price !== null) cache.set(key, price);
  return price;
}

async function fetchPlanPrice(priceId: string, context: AppLoadContext): Promise<PlanPrice | null> {
  try {
    const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId } }, { context });
    const price = priceOf(prices[0]?.id ?? '');
    return price?.kind === 'plan' ? price : null;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'prices.not_found') return null;
    throw error;
  }
}
