import { checkoutRoutes, type RouteRequest } from '@clearframe/contract';
import { ApiError, callApi, type PayingCaller } from '../../../http/api.server';

type Order = RouteRequest<typeof checkoutRoutes.createCheckout>['body'] & { readonly returnPath: string };

/** Starts a checkout. @returns the address of the provider's payment page, which leads back to `returnPath` */
export async function openPaymentPage(order: Order, caller: PayingCaller): Promise<string> {
  const checkout = await callApi(checkoutRoutes.createCheckout, { body: order }, caller);
  if (checkout.kind !== 'redirect') throw ApiError.of('service.internal', caller.context.requestId);
  return checkout.url;
}
