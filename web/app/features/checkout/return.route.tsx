export { PurchaseBoundary as ErrorBoundary } from './refused-page';
export { handlePaymentReturn as loader } from './return.server';

export const handle = { i18n: ['tiers'] };

/** Never shown: the loader redirects. With it, the errors of the loader have a page. */
export default function PaymentReturnPage() {
  return null;
}
