import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Checkout } from '../features/billing/checkout/checkout';
import { loadCheckout } from '../features/billing/checkout/checkout.server';
import { pay } from '../features/billing/checkout/pay.server';

export const handle = { i18n: ['tiers'] };
export const loader = (args: LoaderFunctionArgs) => loadCheckout(args);
export const action = pay;
export { PurchaseBoundary as ErrorBoundary } from '../features/billing/payment/refused-page';
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function CheckoutPage() {
  const { order, problem } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const refusal = refused && 'problem' in refused ? refused.problem : null;
  const result = refused && 'result' in refused ? refused.result : null;
  const confirmation = refused && 'confirmation' in refused ? refused.confirmation : null;
  return <Checkout order={order} problem={problem} refusal={refusal} result={result} confirmation={confirmation} />;
}
