import { NEW_GUEST, type Price, priceRoutes, type Settings } from '@clearframe/contract';
import { ApiError, callApi } from '../../http/api.server';
import type { Exchange } from '../../session/visitor.server';
import { settingsOf } from '../settings/settings.server';
import { throwRefusalPage } from './refusals.server';

export async function readPrice(priceId: string, exchange: Exchange): Promise<{ price: Price; settings: Settings }> {
  const { request, context } = exchange;
  const [price] = await listPrices(priceId || '?', exchange);
  const settings = await settingsOf(request, context, price?.currency);
  if (price) return { price, settings };
  const code = settings.isPurchaseBlocked ? 'billing.country_blocked' : 'prices.not_found';
  return throwRefusalPage(ApiError.of(code, context.requestId), { buyer: NEW_GUEST, price: undefined }, exchange);
}

async function listPrices(priceId: string, { context }: Exchange): Promise<readonly Price[]> {
  try {
    return (await callApi(priceRoutes.listPrices, { query: { priceId } }, { context })).prices;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'prices.not_found') return [];
    throw error;
  }
}
