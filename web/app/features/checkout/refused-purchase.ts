import {
  type Buyer,
  type CataloguePrice,
  type Currency,
  type ErrorCode,
  formatPrice,
  type Period,
  type Plan,
  type PurchaseRefusal,
} from '@clearframe/contract';

/**
 * Why a page sells nothing: another form would be refused as well. `unconfirmed`: a payment whose provider could not be
 * asked.
 */
export type RefusalReason =
  | 'current'
  | 'unpaid'
  | 'pending'
  | 'blocked'
  | 'downgrade'
  | 'currency'
  | 'mobile'
  | 'not_offered'
  | 'not_for_sale'
  | 'unconfirmed';

export interface RefusalView {
  readonly reason: RefusalReason;
  /** The buyer's subscription; null without one, and when its price isn't in the catalogue. */
  readonly has: {
    readonly plan: Plan;
    readonly period: Period;
    readonly price: string;
    readonly currency: Currency;
  } | null;
}

export interface RefusedPurchase {
  readonly buyer: Buyer;
  readonly price: CataloguePrice | undefined;
}

/** Null for refusals with pages of their own (the login, the country), and where another choice on the form helps. */
export function reasonOf(code: PurchaseRefusal, { buyer, price }: RefusedPurchase): RefusalReason | null {
  const open = buyer.openSubscription;
  switch (code) {
    case 'subscriptions.exists':
      if (open?.state === 'past_due' || open?.state === 'incomplete') return 'unpaid';
      return open?.state === 'pending' || open?.state === 'blocked' ? open.state : 'current';
    case 'subscriptions.not_upgradable':
      return open?.price ? 'downgrade' : 'blocked';
    case 'prices.not_for_sale': {
      const isSold = price?.kind === 'plan' && !price.isDeprecated;
      return isSold && open?.price && open.price.currency !== price.currency ? 'currency' : 'not_for_sale';
    }
    case 'subscriptions.managed_elsewhere':
      return 'mobile';
    case 'billing.not_offered':
      return 'not_offered';
    case 'prices.not_found':
      return 'not_for_sale';
    case 'billing.country_blocked':
    case 'billing.login_required':
    case 'billing.forfeit_unconfirmed':
    case 'billing.intro_unavailable':
    case 'billing.trial_unavailable':
    case 'subscriptions.not_found':
      return null;
  }
}

export function refusalView(reason: RefusalReason, buyer?: Buyer): RefusalView {
  const price = buyer?.openSubscription?.price;
  if (!price) return { reason, has: null };
  const { plan, period, amountCents, currency } = price;
  return { reason, has: { plan, period, price: formatPrice(amountCents, currency), currency } };
}

/** Of a thrown response's data. */
export const refusalIn = (data: unknown): RefusalView | null =>
  typeof data === 'object' && data !== null && 'refusal' in data ? (data as { refusal: RefusalView }).refusal : null;

export interface RefusalProblem {
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly refusal: RefusalView;
}
