import type { Currency, Pack, Period, Plan } from '@clearframe/contract';

/** A plan for one period as its card shows it. Prices are written already: they read the same in every language. */
export interface PlanOffer {
  readonly plan: Plan;
  readonly titleKey: string;
  readonly subtitleKey: string;
  readonly priceId: string;
  readonly price: string;
  /** What the first week costs instead, written; null without such an offer. */
  readonly introPrice: string | null;
  /** Downloads of the shown period; null is unlimited. */
  readonly exports: number | null;
  readonly features: readonly { readonly textKey: string; readonly check: boolean }[];
  /** The visitor's current plan. */
  readonly isCurrent: boolean;
  /** What may be done about it. */
  readonly action: 'subscribe' | 'upgrade' | 'change_period' | 'none';
  /** It may start with a free trial. */
  readonly hasTrial: boolean;
}

export interface PackOffer {
  readonly pack: Pack;
  readonly priceId: string;
  readonly price: string;
  /** Of one download in it. */
  readonly priceEach: string;
  readonly exports: number;
}

/** Everything that is sold, for one period. */
export interface OffersView {
  readonly period: Period;
  readonly currency: Currency;
  /** A running subscription keeps its currency. */
  readonly isCurrencyFixed: boolean;
  /** What the longer periods save beside buying weeks, in per cent. */
  readonly discounts: Readonly<Record<Period, number>>;
  readonly plans: readonly PlanOffer[];
  /** Empty where packs are not sold. */
  readonly packs: readonly PackOffer[];
  readonly hasTrial: boolean;
  /** Purchases are blocked in the visitor's country. */
  readonly isBlocked: boolean;
  /** The photo to download; a guest can pay for it alone. */
  readonly taskId: string | null;
}

/** Address of the page that sums up a purchase before it is paid. */
export function checkoutAddress(priceId: string, { taskId = null as string | null, trial = false } = {}): string {
  const query = new URLSearchParams({ priceId });
  if (taskId) query.set('taskId', taskId);
  if (trial) query.set('freeTrialEnabled', 'true');
  return `/checkout?${query}`;
}

/** An address with the offer that the page's own forces, if it does: `version=ip` or `version=ft`. */
export function keepVersion(address: string, search: string): string {
  const version = new URLSearchParams(search).get('version');
  if (version === null) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ version })}`;
}
