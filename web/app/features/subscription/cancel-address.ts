export interface SubscriptionKey {
  readonly provider: 'stripe' | 'paypal';
  readonly subscriptionId: string;
}

const PATH = '/account/subscription/cancel';

/** @param subscription null: the one that grants the plan */
export const cancelAddress = (subscription: SubscriptionKey | null): string =>
  subscription ? `${PATH}?${new URLSearchParams({ ...subscription })}` : PATH;

export function subscriptionIn(query: URLSearchParams): SubscriptionKey | null {
  const [provider, subscriptionId] = [query.get('provider'), query.get('subscriptionId')];
  return subscriptionId && (provider === 'stripe' || provider === 'paypal') ? { provider, subscriptionId } : null;
}
