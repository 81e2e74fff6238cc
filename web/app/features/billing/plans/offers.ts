import type { Currency, Pack, Period, Plan } from '@clearframe/contract';

/** A plan's card for one period, with formatted prices. */
export interface PlanOffer {
  readonly plan: Plan;
  readonly titleKey: string;
  readonly subtitleKey: string;
  readonly priceId: string;
  readonly price: string;
  /** Price of the first week, formatted; null without an intro offer. */
  readonly introPrice: string | null;
  /** Downloads per period; null: unlimited. */
  readonly exports: number | null;
  readonly features: readonly { readonly textKey: string; readonly check: boolean }[];
  readonly isCurrent: boolean;
  readonly action: 'subscribe' | 'upgrade' | 'change_period' | 'none';
  /** May start with a free trial. */
  readonly hasTrial: boolean;
}

export interface PackOffer {
  readonly pack: Pack;
  readonly priceId: string;
  readonly price: string;
  /** Per download. */
  readonly priceEach: string;
  readonly exports: number;
}

/** All offers for one period. */
export interface OffersView {
  readonly period: Period;
  readonly currency: Currency;
  /** A running subscription keeps its currency. */
  readonly isCurrencyFixed: boolean;
  /** Savings against weekly payment, in percent. */
  readonly discounts: Readonly<Record<Period, number>>;
  readonly plans: readonly PlanOffer[];
  /** Empty when packs aren't sold. */
  readonly packs: readonly PackOffer[];
  readonly hasTrial: boolean;
  /** Purchases are blocked in the visitor's country. */
  readonly isBlocked: boolean;
  /** The photo to download; a guest can pay for it alone. */
  readonly taskId: string | null;
}

export function checkoutAddress(priceId: string, { taskId = null as string | null, trial = false } = {}): string {
  const query = new URLSearchParams({ priceId });
  if (taskId) query.set('taskId', taskId);
  if (trial) query.set('freeTrialEnabled', 'true');
  return `/checkout?${query}`;
}

/** Keeps the offer that the page's address forces: `version=ip` or `version=ft`. */
export function preserveOfferParam(address: string, search: string): string {
  const version = new URLSearchParams(search).get('version');
  if (version === null) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ version })}`;
}
