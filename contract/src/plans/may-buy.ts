import type { ErrorCode } from '../errors/catalogue.js';
import type { Flags } from '../settings/flags.js';
import type { CataloguePrice, PlanPrice } from './catalogue.js';

/** Providers that payments on the web go through. */
export const PAYMENT_PROVIDERS = ['stripe', 'paypal'] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/**
 * `running`: gives its plan now. `incomplete`: its first charge failed. `past_due`: a later charge failed. `pending`:
 * the provider hasn't confirmed its creation. `blocked`: paused, disputed or past its period.
 */
export const OPEN_SUBSCRIPTION_STATES = ['running', 'incomplete', 'past_due', 'pending', 'blocked'] as const;
export type OpenSubscriptionState = (typeof OPEN_SUBSCRIPTION_STATES)[number];

/** A subscription that its provider may still charge for. */
export interface OpenSubscription {
  readonly provider: PaymentProviderName;
  /** Null for a price that is not in the catalogue. */
  readonly price: PlanPrice | null;
  readonly state: OpenSubscriptionState;
  /** The first invoice is at the intro price. */
  readonly hasIntro: boolean;
}

/** The user's state that decides a purchase. */
export interface Buyer {
  readonly isGuest: boolean;
  readonly hasMobileSubscription: boolean;
  readonly openSubscription: OpenSubscription | null;
  /** False once a trial has started. */
  readonly isTrialAvailable: boolean;
  /** False once a subscription has started. */
  readonly isIntroAvailable: boolean;
  readonly availableCredits: number;
}

/** A visitor without an account or guest session. */
export const NEW_GUEST: Buyer = {
  isGuest: true,
  hasMobileSubscription: false,
  openSubscription: null,
  isTrialAvailable: true,
  isIntroAvailable: true,
  availableCredits: 0,
};

/** Flags that decide what is sold. */
export type SalesFlags = Pick<
  Flags,
  | 'oneTimePayment'
  | 'isFreeTrialEnabled'
  | 'isIntroPriceEnabled'
  | 'personalPlanEnabled'
  | 'businessPlanEnabled'
  | 'businessCustomPriceEnabled'
>;

/** A purchase as far as it is known: on the plans page less than at checkout. */
export interface PurchaseRequest {
  readonly buyer: Buyer;
  /** Undefined for an unknown price id. */
  readonly price: CataloguePrice | undefined;
  /** Purchases are blocked in the visitor's country. */
  readonly isCountryBlocked: boolean;
  readonly flags: SalesFlags;
  /** The download of one task: the only purchase without an account. */
  readonly isForTask?: boolean;
  readonly trial?: boolean;
  /** Paid first. */
  readonly introPrice?: CataloguePrice | null;
  /** Absent until chosen. */
  readonly provider?: PaymentProviderName;
  /** Credits that the buyer agrees to lose by subscribing. Absent until asked. */
  readonly forfeitCredits?: number;
}

/**
 * `pack`: downloads, paid once. `subscribe`: a new subscription, which replaces an incomplete one. `retry`: pays the
 * open invoice of the subscription to this price. `upgrade`: from personal to business. `change_period`: another period
 * of the same plan.
 */
const PURCHASE_KINDS = ['pack', 'subscribe', 'retry', 'upgrade', 'change_period'] as const;
export type PurchaseKind = (typeof PURCHASE_KINDS)[number];

/** Errors of {@link mayBuy}. Those of the second part depend on what the buyer has chosen, and another choice helps. */
export const PURCHASE_REFUSALS = [
  'billing.country_blocked',
  'billing.login_required',
  'billing.not_offered',
  'prices.not_found',
  'prices.not_for_sale',
  'subscriptions.exists',
  'subscriptions.managed_elsewhere',
  'subscriptions.not_upgradable',

  'billing.forfeit_unconfirmed',
  'billing.intro_unavailable',
  'billing.trial_unavailable',
  'subscriptions.not_found',
] as const satisfies readonly ErrorCode[];
export type PurchaseRefusal = (typeof PURCHASE_REFUSALS)[number];

/** Whether a purchase is allowed, and how; else the error that `api` returns. */
export type PurchaseDecision =
  | {
      readonly isAllowed: true;
      readonly kind: PurchaseKind;
      readonly providers: readonly PaymentProviderName[];
      /** Credits lost once the subscription runs. */
      readonly forfeitCredits: number;
    }
  | { readonly isAllowed: false; readonly code: PurchaseRefusal };

const refuse = (code: PurchaseRefusal): PurchaseDecision => ({ isAllowed: false, code });
const allow = (
  kind: PurchaseKind,
  providers: readonly PaymentProviderName[] = PAYMENT_PROVIDERS,
  forfeitCredits = 0,
): PurchaseDecision => ({ isAllowed: true, kind, providers, forfeitCredits });

/**
 * Whether a user may buy a price, and as what. `web` offers and `api` rejects by this one function. `api` later checks
 * what depends on a payment method or task (a fingerprint's trial, a paid task).
 */
export function mayBuy(request: PurchaseRequest): PurchaseDecision {
  const { buyer, price, isCountryBlocked, isForTask = false } = request;
  if (isCountryBlocked) return refuse('billing.country_blocked');
  if (!price) return refuse('prices.not_found');
  // Not a new sale: the open invoice of a former price, or of a plan no longer sold, can still be paid.
  const retried = retryableOrderOf(price, request);
  if (retried) return mayRetry(retried, request);
  if (price.kind === 'intro' || price.isDeprecated) return refuse('prices.not_for_sale');
  if (!isOffered(price, request)) return refuse('billing.not_offered');
  const needsAccount = !(price.kind === 'pack' && price.pack === 'single_export' && isForTask);
  if (buyer.isGuest && needsAccount) return refuse('billing.login_required');
  return price.kind === 'pack' ? allow('pack') : mayBuyPlan(price, request);
}

function isOffered(price: CataloguePrice, { flags, trial, introPrice }: PurchaseRequest): boolean {
  if (price.kind === 'pack') return flags.oneTimePayment;
  if (trial && !flags.isFreeTrialEnabled) return false;
  if (introPrice && !flags.isIntroPriceEnabled) return false;
  if (price.plan === 'business') return flags.businessPlanEnabled && !flags.businessCustomPriceEnabled;
  return flags.personalPlanEnabled;
}

function mayBuyPlan(price: PlanPrice, request: PurchaseRequest): PurchaseDecision {
  const { openSubscription, hasMobileSubscription } = request.buyer;
  if (hasMobileSubscription) return refuse('subscriptions.managed_elsewhere');
  const { introPrice } = request;
  if (introPrice && !(introPrice.kind === 'intro' && introPrice.planPriceId === price.id)) {
    return refuse('prices.not_for_sale');
  }
  switch (openSubscription?.state) {
    case undefined:
    case 'incomplete':
      return maySubscribe(request);
    case 'running':
      return mayChange(openSubscription, price, request);
    default:
      return refuse('subscriptions.exists');
  }
}

/**
 * The open subscription whose invoice the order pays, or null. Only card invoices can be paid here: a wallet retries by
 * itself. An incomplete subscription whose first charge would differ is replaced instead.
 */
function retryableOrderOf(price: CataloguePrice, request: PurchaseRequest): OpenSubscription | null {
  const { buyer, provider = 'stripe', trial = false, introPrice = null } = request;
  const open = buyer.openSubscription;
  if (!open || buyer.hasMobileSubscription) return null;
  if (open.provider !== 'stripe' || provider !== 'stripe' || open.price?.id !== price.id) return null;
  switch (open.state) {
    case 'incomplete':
      return !trial && open.hasIntro === (introPrice !== null) ? open : null;
    case 'past_due':
    case 'pending':
      return open;
    default:
      return null;
  }
}

function mayRetry({ state }: OpenSubscription, request: PurchaseRequest): PurchaseDecision {
  const { buyer, trial, introPrice, forfeitCredits } = request;
  // Already ordered; idempotent.
  if (state === 'pending') return allow('retry', ['stripe']);
  if (state === 'past_due') {
    if (trial) return refuse('billing.trial_unavailable');
    return introPrice ? refuse('billing.intro_unavailable') : allow('retry', ['stripe']);
  }
  const { availableCredits } = buyer;
  if (forfeitCredits !== undefined && forfeitCredits !== availableCredits) {
    return refuse('billing.forfeit_unconfirmed');
  }
  // The wallet makes a new subscription of it.
  const hasWallet = mayBuy({ ...request, provider: 'paypal' }).isAllowed;
  return allow('retry', hasWallet ? PAYMENT_PROVIDERS : ['stripe'], availableCredits);
}

function maySubscribe({ buyer, trial, introPrice, provider, forfeitCredits }: PurchaseRequest): PurchaseDecision {
  if (trial && introPrice) return refuse('billing.intro_unavailable');
  if (trial && !buyer.isTrialAvailable) return refuse('billing.trial_unavailable');
  // A wallet's plans have no intro price.
  if (introPrice && (!buyer.isIntroAvailable || provider === 'paypal')) return refuse('billing.intro_unavailable');
  const { availableCredits } = buyer;
  if (forfeitCredits !== undefined && forfeitCredits !== availableCredits) {
    return refuse('billing.forfeit_unconfirmed');
  }
  return allow('subscribe', introPrice ? ['stripe'] : PAYMENT_PROVIDERS, availableCredits);
}

/** Replaces the running plan or period, at the same provider and in the same currency. */
function mayChange(open: OpenSubscription, price: PlanPrice, request: PurchaseRequest): PurchaseDecision {
  const running = open.price;
  const { trial, introPrice, provider } = request;
  if (running?.id === price.id) return refuse('subscriptions.exists');
  if (!running || (running.plan === 'business' && price.plan === 'personal')) {
    return refuse('subscriptions.not_upgradable');
  }
  if (running.currency !== price.currency) return refuse('prices.not_for_sale');
  // For new subscribers only.
  if (trial) return refuse('billing.trial_unavailable');
  if (introPrice) return refuse('billing.intro_unavailable');
  if (provider && provider !== open.provider) return refuse('subscriptions.not_found');
  return allow(running.plan === price.plan ? 'change_period' : 'upgrade', [open.provider]);
}
