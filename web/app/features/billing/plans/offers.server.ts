import {
  type Currency,
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
  planPriceOf,
  priceOf,
  priceRoutes,
  type Role,
  type Settings,
  type User,
} from '@clearframe/contract';
import { type AppLoadContext, data, type LoaderFunctionArgs } from '@remix-run/node';
import { callApi } from '../../../http/api.server';
import { translatorFor } from '../../../i18n/i18n.server';
import { loadMe } from '../../../session/me.server';
import { currencyOf } from '../../settings/currency.server';
import { isDelivered } from '../../settings/delivered';
import { planPriceOfId } from '../../settings/plan-prices.server';
import { settingsOf } from '../../settings/settings.server';
import { asNewMember, buyerOf } from './buyer.server';
import type { OffersView, PackOffer, PlanOffer } from './offers';

const PACK_KEYS = {
  single_export: 'singleExport',
  three_exports: 'threeExports',
  ten_exports: 'tenExports',
  twenty_exports: 'twentyExports',
} as const satisfies Record<Pack, keyof Settings['paymentStrategies']['oneTime']['periods']>;

/** Savings are relative to this period. */
const SHORTEST_PERIOD: Period = 'weekly';

const periodIn = (text: string | null): Period => PERIODS.find((period) => period === text) ?? SHORTEST_PERIOD;

/** Offers at current prices. @throws ApiError */
export async function offersFor(request: Request, context: AppLoadContext, user: User | null): Promise<OffersView> {
  // A subscription keeps its currency.
  const running = await planPriceOfId(user?.monetization.priceId ?? null, context);
  const settings = await settingsOf(request, context, running?.currency);
  const { searchParams } = new URL(request.url);
  const period = periodIn(searchParams.get('period'));
  const prices = await pricesOf(settings, period, context);
  const priceById = (priceId: string): Price => {
    const price = prices.find((one) => one.priceId === priceId);
    if (!price) throw new Error(`the backend has no price ${priceId}`);
    return price;
  };
  const buyer = asNewMember(await buyerOf(user, context));
  const terms = { buyer, isCountryBlocked: settings.isPurchaseBlocked, flags: settings };
  const hasEverything = Boolean(user?.isFree || user?.giftCode?.isActive);
  const plans = PLANS.map((plan) =>
    planOffer(plan, period, priceById(settings.paymentStrategies[plan].periods[period].priceId), settings, {
      role: user?.role ?? 'guest',
      hasEverything,
      decide: (request) => mayBuy({ ...terms, ...request }),
    }),
  );
  return {
    period,
    currency: settings.currency,
    isCurrencyFixed: running !== null,
    discounts: Object.fromEntries(
      PERIODS.map((one) => [one, discountPercent('personal', one, SHORTEST_PERIOD, settings.currency)]),
    ) as Record<Period, number>,
    plans,
    packs: PACKS.filter((pack) => mayBuy({ ...terms, price: packPriceOf(pack, settings.currency) }).isAllowed).map(
      (pack) => packOffer(pack, priceById(packIdOf(settings, pack))),
    ),
    hasTrial: plans.some(({ hasTrial }) => hasTrial),
    isBlocked: settings.isPurchaseBlocked,
    taskId: searchParams.get('taskId'),
  };
}

const packIdOf = ({ paymentStrategies }: Settings, pack: Pack): string =>
  paymentStrategies.oneTime.periods[PACK_KEYS[pack]].priceId;

async function pricesOf(settings: Settings, period: Period, context: AppLoadContext): Promise<Price[]> {
  const plans = PLANS.map((plan) => settings.paymentStrategies[plan].periods[period].priceId);
  const priceId = [...plans, ...PACKS.map((pack) => packIdOf(settings, pack))];
  return (await callApi(priceRoutes.listPrices, { query: { priceId } }, { context })).prices;
}

interface OfferContext {
  readonly role: Role;
  /** Has everything without payment: no offers. */
  readonly hasEverything: boolean;
  decide(request: Pick<PurchaseRequest, 'price' | 'trial' | 'introPrice'>): PurchaseDecision;
}

function planOffer(plan: Plan, period: Period, price: Price, settings: Settings, visitor: OfferContext): PlanOffer {
  const { titleKey, subtitleKey, features, periods } = settings.paymentStrategies[plan];
  const known = priceOf(price.id);
  const action = visitor.hasEverything ? 'none' : actionFor(visitor.decide({ price: known }));
  const isNew = action === 'subscribe';
  const intro = isNew ? introPriceOf(price.id) : undefined;
  return {
    plan,
    titleKey,
    subtitleKey,
    exports: periods[period].exports,
    features: features.filter(({ textKey }) => isDelivered(textKey)),
    priceId: price.priceId,
    price: formatPrice(price.amountCents, price.currency),
    introPrice:
      intro && visitor.decide({ price: known, introPrice: intro }).isAllowed
        ? formatPrice(intro.amountCents, price.currency)
        : null,
    isCurrent: visitor.role === plan,
    action,
    hasTrial: isNew && visitor.decide({ price: known, trial: true }).isAllowed,
  };
}

/** Offers only what a purchase would accept. */
function actionFor(decision: PurchaseDecision): PlanOffer['action'] {
  if (!decision.isAllowed) return 'none';
  return decision.kind === 'upgrade' || decision.kind === 'change_period' ? decision.kind : 'subscribe';
}

function packOffer(pack: Pack, { priceId, amountCents, currency, exports }: Price): PackOffer {
  const count = exports ?? 1;
  return {
    pack,
    priceId,
    exports: count,
    price: formatPrice(amountCents, currency),
    priceEach: formatPrice(centsEach(amountCents, count), currency),
  };
}

/** Cents per download, rounded half up. */
const centsEach = (cents: number, count: number): number => Math.floor(cents / count + 0.5);

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

/** Prices on the home page, from the catalogue: needs no API. */
export async function teaserPrices(request: Request, context: AppLoadContext) {
  const currency = await currencyOf(request, context);
  const format = ({ amountCents }: { readonly amountCents: number }) => formatPrice(amountCents, currency);
  return {
    single: format(packPriceOf('single_export', currency)),
    personal: format(planPriceOf('personal', 'weekly', currency)),
    business: format(planPriceOf('business', 'weekly', currency)),
  };
}

export async function loadPlans({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const user = await loadMe(request, context, headers);
  const [offers, t] = await Promise.all([offersFor(request, context, user), translatorFor(request, 'tiers')]);
  return data({ offers, isGuest: user?.isGuest ?? true, title: t('title') }, { headers });
}
