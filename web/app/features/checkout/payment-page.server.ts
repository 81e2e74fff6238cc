import { checkoutRoutes, type RouteRequest } from '@clearframe/contract';
import { ApiError, callApi, type VerifiedCaller } from '../../http/api.server';
import type { Confirmation } from './order';

type Order = RouteRequest<typeof checkoutRoutes.createCheckout>['body'];

export async function openPaymentPage(
  order: Order & { readonly returnPath: string },
  caller: VerifiedCaller,
): Promise<string> {
  const payment = await openPayment(order, order.returnPath, caller);
  if (typeof payment !== 'string') throw ApiError.of('service.internal', caller.context.requestId);
  return payment;
}

export async function openPayment(
  order: Order,
  returnPath: string,
  caller: VerifiedCaller,
): Promise<string | Confirmation> {
  const checkout = await callApi(checkoutRoutes.createCheckout, { body: order }, caller);
  if (checkout.kind === 'redirect') return checkout.url;
  if (checkout.kind === 'paypal') return { ...checkout, returnPath };
  return { kind: checkout.kind, clientSecret: checkout.clientSecret, returnPath };
}
