import type { Currency, Pack, Period, Plan } from '@clearframe/contract';

export interface PlanContents {
  readonly plan: Plan;
  readonly period: Period;
  /** Downloads per period; null: unlimited. */
  readonly exports: number | null;
  readonly features: readonly { readonly textKey: string; readonly check: boolean }[];
}

/** A plan's contents, listed without those of the cheaper plan. */
export interface ComparedContents {
  readonly offer: PlanContents;
  readonly below: PlanContents | null;
}

export interface PlanOffer extends PlanContents {
  readonly priceId: string;
  readonly price: string;
  /** Price of one week; null for a weekly plan. */
  readonly pricePerWeek: string | null;
  /** Price of the first week, formatted; null without an intro offer. */
  readonly introPrice: string | null;
  readonly isCurrent: boolean;
  /** `contact`: the price is on request. */
  readonly action: 'subscribe' | 'upgrade' | 'change_period' | 'contact' | 'none';
  readonly hasTrial: boolean;
  /** Downloads during the trial; null: unlimited. */
  readonly trialExports: number | null;
}

export interface PackOffer {
  readonly pack: Pack;
  readonly priceId: string;
  readonly price: string;
  readonly priceEach: string;
  readonly exports: number;
}

export interface Presentation {
  /** The only offer shown first; null: the list. */
  readonly highlight: { readonly plan: Plan } | { readonly pack: Pack } | null;
  readonly hasChargeInButton: boolean;
  /** Set by an experiment: a variant's name or the label itself; null: the usual label. */
  readonly trialLabel: string | null;
  readonly payNowLabel: string | null;
}

export interface OffersView {
  readonly period: Period;
  readonly currency: Currency;
  /** A running subscription keeps its currency. */
  readonly isCurrencyFixed: boolean;
  /** Savings in percent against weekly payment, or the monthly payment of a subscriber. */
  readonly discounts: Readonly<Record<Period, number>>;
  readonly plans: readonly PlanOffer[];
  readonly plansByPeriod: Readonly<Record<Period, readonly PlanOffer[]>>;
  /** Empty when packs aren't sold, and for subscribers. */
  readonly packs: readonly PackOffer[];
  readonly hasTrial: boolean;
  readonly isPremium: boolean;
  /** What a subscriber pays; null without a subscription on the web. */
  readonly current: { readonly plan: Plan; readonly period: Period; readonly price: string } | null;
  readonly presentation: Presentation;
  /** Purchases are blocked in the visitor's country. */
  readonly isBlocked: boolean;
  /** Downloads left, which a subscription would replace. */
  readonly credits: number;
  /** The photo to download; a guest can pay for it alone. */
  readonly taskId: string | null;
  readonly isPhotoPaid: boolean;
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
