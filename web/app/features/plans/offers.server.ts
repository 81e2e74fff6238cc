import {
  allowedExportsOf,
  type Currency,
  centsEach,
  centsPerWeek,
  discountPercent,
  formatPrice,
  introPriceOf,
  mayBuy,
  PACKS,
  type Pack,
  PERIODS,
  type Period,
  PLANS,
  type Plan,
  type Price,
  type PurchaseDecision,
  type PurchaseRequest,
  packPriceOf,
  priceOf,
  priceRoutes,
  type Role,
  type Settings,
  type User,
} from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { planPriceOfId } from '../settings/plan-prices.server';
import { settingsOf } from '../settings/settings.server';
import { asNewMember, buyerOf } from './buyer.server';
import { planContents } from './plan-contents.server';
import { isPaidFor, readTaskToBuy } from './task-to-buy.server';

const PACK_KEYS = {
  single_export: 'singleExport',
  three_exports: 'threeExports',
  ten_exports: 'tenExports',
  twenty_exports: 'twentyExports',
} as const satisfies Record<Pack, keyof Settings['paymentStrategies']['oneTime']['periods']>;

export type OffersView = Awaited<ReturnType<typeof offersFor>>;
export type PlanOffer = ReturnType<typeof planOffer>;
export type PackOffer = ReturnType<typeof packOffer>;
export type Presentation = OffersView['presentation'];

const periodIn = (text: string | null): Period | undefined => PERIODS.find((period) => period === text);

export async function offersFor(request: Request, context: AppLoadContext, user: User | null) {
  // A subscription keeps its currency.
  const running = await planPriceOfId(user?.monetization.priceId ?? null, context);
  const settings = await settingsOf(request, context, running?.currency);
  const { searchParams } = new URL(request.url);
  const taskId = searchParams.get('taskId');
  const period = periodIn(searchParams.get('period')) ?? running?.period ?? 'weekly';
  const priceById = await pricesOf(settings, context);
  const buyer = asNewMember(await buyerOf(user, context));
  const terms = { buyer, isCountryBlocked: settings.isPurchaseBlocked, flags: settings };
  const role = user?.role ?? 'guest';
  const isPremium = role === 'personal' || role === 'business';
  const visitor: OfferContext = {
    role,
    hasEverything: Boolean(user?.isFree || user?.giftCode?.isActive),
    decide: (request) => mayBuy({ ...terms, ...request }),
  };
  const plansByPeriod = byPeriod((one) =>
    PLANS.map((plan) =>
      planOffer(plan, one, priceById(settings.paymentStrategies[plan].periods[one].priceId), settings, visitor),
    ),
  );
  const plans = plansByPeriod[period];
  const packs = PACKS.filter((pack) => visitor.decide({ price: packPriceOf(pack, settings.currency) }).isAllowed);
  const isPaid = isPaidFor(await readTaskToBuy(taskId, { request, context }));
  const packOffers = isPremium
    ? []
    : packs
        .filter((pack) => !isPaid || pack !== 'single_export')
        .map((pack) => packOffer(pack, priceById(packIdOf(settings, pack))));
  // Savings are against what a subscriber pays.
  const compared = running?.period === 'monthly' ? 'monthly' : 'weekly';
  return {
    period,
    currency: settings.currency,
    /** A running subscription keeps its currency. */
    isCurrencyFixed: running !== null,
    discounts: byPeriod((one) => discountPercent('personal', one, compared, settings.currency)),
    plans,
    plansByPeriod,
    /** Empty when packs aren't sold, and for subscribers. */
    packs: packOffers,
    hasTrial: plans.some(({ hasTrial }) => hasTrial),
    isPremium,
    /** What a subscriber pays; null without a subscription on the web. */
    current: running && {
      plan: running.plan,
      period: running.period,
      price: formatPrice(running.amountCents, running.currency),
    },
    presentation: presentationOf(settings, plansByPeriod.weekly, packOffers),
    isBlocked: settings.isPurchaseBlocked,
    /** Downloads left, which a subscription would replace. */
    credits: user?.availableCredits ?? 0,
    /** The photo to download; a guest can pay for it alone. */
    taskId,
    isPhotoPaid: isPaid,
  };
}

const byPeriod = <Value>(read: (period: Period) => Value): Record<Period, Value> => ({
  weekly: read('weekly'),
  monthly: read('monthly'),
  yearly: read('yearly'),
});

const packIdOf = ({ paymentStrategies }: Settings, pack: Pack): string =>
  paymentStrategies.oneTime.periods[PACK_KEYS[pack]].priceId;

/** @returns a price by its id, which throws for ids that the settings don't have */
async function pricesOf(settings: Settings, context: AppLoadContext): Promise<(priceId: string) => Price> {
  const plans = PLANS.flatMap((plan) =>
    PERIODS.map((period) => settings.paymentStrategies[plan].periods[period].priceId),
  );
  const priceId = [...plans, ...PACKS.map((pack) => packIdOf(settings, pack))];
  const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId } }, { context });
  return (id) => {
    const price = prices.find((one) => one.priceId === id);
    if (!price) throw new Error(`the backend has no price ${id}`);
    return price;
  };
}

interface OfferContext {
  readonly role: Role;
  /** Has everything without payment: no offers. */
  readonly hasEverything: boolean;
  decide(request: Pick<PurchaseRequest, 'price' | 'trial' | 'introPrice'>): PurchaseDecision;
}

function planOffer(plan: Plan, period: Period, price: Price, settings: Settings, visitor: OfferContext) {
  const { customPrice } = settings.paymentStrategies[plan];
  const known = priceOf(price.id);
  const action = actionFor(visitor, { price: known, plan, customPrice });
  const isNew = action === 'subscribe';
  const intro = isNew ? introPriceOf(price.id) : undefined;
  const { amountCents, currency } = price;
  return {
    ...planContents(settings, plan, period),
    priceId: price.priceId,
    price: formatPrice(amountCents, currency),
    /** Null for a weekly plan. */
    pricePerWeek: period === 'weekly' ? null : formatPrice(centsPerWeek({ amountCents, period }), currency),
    /** Of the first week; null without an intro offer. */
    introPrice:
      intro && visitor.decide({ price: known, introPrice: intro }).isAllowed
        ? formatPrice(intro.amountCents, price.currency)
        : null,
    isCurrent: visitor.role === plan,
    action,
    hasTrial: isNew && visitor.decide({ price: known, trial: true }).isAllowed,
    /** Downloads during the trial; null: unlimited. */
    trialExports: allowedExportsOf({ plan, exports: price.exports }, true),
  };
}

interface PricedPlan {
  readonly plan: Plan;
  readonly price: PurchaseRequest['price'];
  readonly customPrice: boolean;
}

/** `contact`: the price is on request. */
type PlanAction = 'subscribe' | 'upgrade' | 'change_period' | 'contact' | 'none';

/** Offers only what a purchase would accept. */
function actionFor(visitor: OfferContext, { plan, price, customPrice }: PricedPlan): PlanAction {
  if (visitor.hasEverything) return 'none';
  if (customPrice) return visitor.role === plan ? 'none' : 'contact';
  const decision = visitor.decide({ price });
  if (!decision.isAllowed) return 'none';
  return decision.kind === 'upgrade' || decision.kind === 'change_period' ? decision.kind : 'subscribe';
}

function packOffer(pack: Pack, { priceId, amountCents, currency, exports }: Price) {
  const count = exports ?? 1;
  return {
    pack,
    priceId,
    exports: count,
    price: formatPrice(amountCents, currency),
    priceEach: formatPrice(centsEach({ amountCents, exports: count }), currency),
  };
}

/** Price of a single download, in a subscriber's own currency. @throws ApiError */
export async function singlePrice(
  request: Request,
  context: AppLoadContext,
  user: User | null,
): Promise<{ readonly priceId: string; readonly price: string; readonly currency: Currency } | null> {
  const running = await planPriceOfId(user?.monetization.priceId ?? null, context);
  const settings = await settingsOf(request, context, running?.currency);
  if (!settings.oneTimePayment || settings.isPurchaseBlocked) return null;
  const priceId = packIdOf(settings, 'single_export');
  const { prices } = await callApi(priceRoutes.listPrices, { query: { priceId } }, { context });
  const [price] = prices;
  return price ? { priceId, price: formatPrice(price.amountCents, price.currency), currency: price.currency } : null;
}

function presentationOf(settings: Settings, weekly: readonly PlanOffer[], packs: readonly PackOffer[]) {
  return {
    /** The only offer shown first; null: the list. */
    highlight: highlightOf(settings, weekly, packs),
    hasChargeInButton: settings.compliantPriceEnabled,
    /** Set by an experiment: a variant's name or the label itself; null: the usual label. */
    trialLabel: settings.expFreeTrialPaywallCtaLabel || null,
    payNowLabel: settings.expFreeTrialPaywallPayNowLabel || null,
  };
}

function highlightOf(
  { highlightedOtpStrategy, businessTierWeeklyHighlighted }: Settings,
  weekly: readonly PlanOffer[],
  packs: readonly PackOffer[],
): { readonly plan: Plan } | { readonly pack: Pack } | null {
  const pack = packNamed(highlightedOtpStrategy);
  if (pack && packs.some((offer) => offer.pack === pack)) return { pack };
  const business = weekly.find(({ plan }) => plan === 'business');
  const isForSale = business?.action === 'subscribe' || business?.action === 'upgrade';
  return businessTierWeeklyHighlighted && isForSale ? { plan: 'business' } : null;
}

/** `ten_exports` or, as in the settings' answer, `tenExports`. */
const packNamed = (name: string | null): Pack | undefined =>
  PACKS.find((pack) => pack === name || pack.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) === name);
