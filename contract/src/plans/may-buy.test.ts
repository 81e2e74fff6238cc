import { describe, expect, it } from 'vitest';
import { DEFAULT_FLAGS } from '../settings/flags.js';
import { type CataloguePrice, introPriceOf, type PlanPrice, PRICES, priceOf } from './catalogue.js';
import {
  type Buyer,
  mayBuy,
  NEW_GUEST,
  OPEN_SUBSCRIPTION_STATES,
  type OpenSubscription,
  PAYMENT_PROVIDERS,
  type PurchaseRequest,
  type SalesFlags,
} from './may-buy.js';

const plan = (id: string): PlanPrice => {
  const price = priceOf(id);
  if (price?.kind !== 'plan') throw new Error(id);
  return price;
};
const member: Buyer = { ...NEW_GUEST, isGuest: false };
const open = (price: string, changes: Partial<OpenSubscription> = {}): OpenSubscription => ({
  provider: 'stripe',
  price: plan(price),
  state: 'running',
  hasIntro: false,
  ...changes,
});

const OPEN: readonly OpenSubscription[] = [
  'personal_weekly_usd',
  'personal_yearly_usd',
  'personal_weekly_former_usd',
  'business_weekly_usd',
  'personal_weekly_eur',
].flatMap((price) =>
  PAYMENT_PROVIDERS.flatMap((provider) =>
    OPEN_SUBSCRIPTION_STATES.flatMap((state) =>
      (state === 'incomplete' ? [true, false] : [false]).map((hasIntro) => open(price, { provider, state, hasIntro })),
    ),
  ),
);
const BUYERS: readonly Buyer[] = [
  NEW_GUEST,
  member,
  { ...member, availableCredits: 3 },
  { ...member, isTrialAvailable: false },
  { ...member, isTrialAvailable: false, isIntroAvailable: false },
  { ...member, hasMobileSubscription: true },
  { ...member, hasMobileSubscription: true, openSubscription: open('personal_weekly_usd') },
  ...OPEN.map((openSubscription) => ({ ...member, isIntroAvailable: false, openSubscription, availableCredits: 3 })),
];
const FLAGS: readonly SalesFlags[] = [
  DEFAULT_FLAGS,
  { ...DEFAULT_FLAGS, isIntroPriceEnabled: true },
  { ...DEFAULT_FLAGS, isFreeTrialEnabled: false },
  { ...DEFAULT_FLAGS, oneTimePayment: false },
  { ...DEFAULT_FLAGS, personalPlanEnabled: false },
  { ...DEFAULT_FLAGS, businessPlanEnabled: false },
  { ...DEFAULT_FLAGS, businessCustomPriceEnabled: true },
];
const TERMS = [
  { trial: false },
  { trial: true },
  { withIntro: true },
  { trial: true, withIntro: true },
  { isForTask: true },
] as const satisfies readonly { trial?: boolean; withIntro?: boolean; isForTask?: boolean }[];

const SOLD = PRICES.filter(({ currency, id }) => currency === 'usd' || id === 'personal_weekly_eur');

/** Every price × user state × flags × country × terms. */
function* cases(): Generator<PurchaseRequest> {
  for (const price of [...SOLD, undefined])
    for (const buyer of BUYERS)
      for (const flags of FLAGS) {
        yield { price, buyer, flags, isCountryBlocked: true };
        for (const terms of TERMS) {
          const { trial, isForTask } = { trial: false, isForTask: false, ...terms };
          const intro = 'withIntro' in terms ? introPriceOf(price?.id ?? '') : undefined;
          yield { price, buyer, flags, isCountryBlocked: false, trial, isForTask, introPrice: intro ?? null };
        }
      }
}

const codeOf = (request: PurchaseRequest) => {
  const decision = mayBuy(request);
  return decision.isAllowed ? decision.kind : decision.code;
};

const CASES = [...cases()];
const allowed = CASES.flatMap((request) => {
  const decision = mayBuy(request);
  return decision.isAllowed ? [{ request, decision, price: request.price as CataloguePrice }] : [];
});

describe(`a purchase (${CASES.length} cases)`, () => {
  it('is refused in a blocked country and for an unknown price', () => {
    const codes = (cases: readonly PurchaseRequest[]) => new Set(cases.map(codeOf));
    expect(codes(CASES.filter(({ isCountryBlocked }) => isCountryBlocked))).toEqual(
      new Set(['billing.country_blocked']),
    );
    const unknown = CASES.filter(({ price, isCountryBlocked }) => !price && !isCountryBlocked);
    expect(codes(unknown)).toEqual(new Set(['prices.not_found']));
  });

  it('is refused for former and intro prices and disabled offers, except to pay an open invoice', () => {
    const wrong = allowed.filter(({ request, decision, price }) => {
      const { flags, trial, introPrice } = request;
      if (decision.kind === 'retry') return false;
      if (price.kind === 'intro' || price.isDeprecated) return true;
      if (price.kind === 'pack') return !flags.oneTimePayment;
      const isBusinessSold = flags.businessPlanEnabled && !flags.businessCustomPriceEnabled;
      const isPlanSold = price.plan === 'personal' ? flags.personalPlanEnabled : isBusinessSold;
      return !isPlanSold || (trial && !flags.isFreeTrialEnabled) || (introPrice && !flags.isIntroPriceEnabled);
    });
    expect(wrong).toEqual([]);
  });

  it('is allowed for a guest only as the download of one task', () => {
    for (const { request, price } of allowed.filter(({ request: { buyer } }) => buyer.isGuest)) {
      expect(price).toMatchObject({ kind: 'pack', pack: 'single_export' });
      expect(request.isForTask).toBe(true);
    }
  });

  it('has a trial or intro price once, never both, and never during a running subscription', () => {
    for (const { request, decision, price } of allowed.filter(({ price: { kind } }) => kind === 'plan')) {
      const { buyer, trial, introPrice } = request;
      if (trial && decision.kind !== 'retry') {
        expect([decision.kind, buyer.isTrialAvailable, introPrice]).toEqual(['subscribe', true, null]);
      }
      if (introPrice && decision.kind === 'subscribe') expect(buyer.isIntroAvailable).toBe(true);
      if (introPrice) expect(introPrice).toMatchObject({ planPriceId: price.id });
      if (buyer.openSubscription?.state === 'running') expect(Boolean(trial || introPrice)).toBe(false);
    }
  });

  it('of a plan during an open subscription changes it, pays it, or replaces an incomplete one', () => {
    for (const { request, decision, price } of allowed) {
      const { openSubscription: opened, hasMobileSubscription } = request.buyer;
      if (price.kind !== 'plan') continue;
      expect(hasMobileSubscription).toBe(false);
      if (!opened) {
        expect(decision.kind).toBe('subscribe');
        continue;
      }
      const { state, provider, price: running } = opened;
      if (decision.kind === 'retry') {
        expect(running?.id).toBe(price.id);
        expect(provider).toBe('stripe');
        expect(['incomplete', 'past_due', 'pending']).toContain(state);
      } else if (decision.kind === 'subscribe') {
        expect(state).toBe('incomplete');
      } else {
        expect(state).toBe('running');
        expect(running?.id).not.toBe(price.id);
        expect(running?.currency).toBe(price.currency);
        expect(decision.providers).toEqual([provider]);
        expect([running?.plan, price.plan, decision.kind]).not.toEqual(['business', 'personal', expect.anything()]);
        expect(decision.kind).toBe(running?.plan === price.plan ? 'change_period' : 'upgrade');
      }
    }
  });

  it('lists exactly the providers that are then allowed', () => {
    const wrong = CASES.filter((request) => {
      const decision = mayBuy(request);
      const providers = PAYMENT_PROVIDERS.filter((provider) => mayBuy({ ...request, provider }).isAllowed);
      return `${decision.isAllowed ? decision.providers : []}` !== `${providers}`;
    });
    expect(wrong).toEqual([]);
  });

  it('that forfeits credits needs consent to the exact number', () => {
    const costly = allowed.filter(({ decision }) => decision.forfeitCredits > 0);
    const wrong = costly.filter(({ request, decision: { forfeitCredits } }) => {
      const codes = [0, forfeitCredits - 1, forfeitCredits + 1].map((other) =>
        codeOf({ ...request, forfeitCredits: other }),
      );
      const isAgreed = mayBuy({ ...request, forfeitCredits }).isAllowed;
      return !isAgreed || codes.some((code) => code !== 'billing.forfeit_unconfirmed');
    });
    expect(wrong).toEqual([]);
  });
});

describe('a refusal', () => {
  const codeFor = (price: string, buyer: Partial<Buyer>, rest: Partial<PurchaseRequest> = {}) =>
    codeOf({
      price: priceOf(price),
      buyer: { ...member, ...buyer },
      flags: DEFAULT_FLAGS,
      isCountryBlocked: false,
      ...rest,
    });
  const running = (price: string) => ({ openSubscription: open(price) });
  it.each([
    ['of the running plan', codeFor('personal_weekly_usd', running('personal_weekly_usd')), 'subscriptions.exists'],
    ['of a downgrade', codeFor('personal_yearly_usd', running('business_weekly_usd')), 'subscriptions.not_upgradable'],
    ['of the other currency', codeFor('business_weekly_eur', running('personal_weekly_usd')), 'prices.not_for_sale'],
    [
      'of a used trial',
      codeFor('personal_weekly_usd', { isTrialAvailable: false }, { trial: true }),
      'billing.trial_unavailable',
    ],
    [
      'of another plan while a charge is past due',
      codeFor('business_weekly_usd', { openSubscription: open('personal_weekly_usd', { state: 'past_due' }) }),
      'subscriptions.exists',
    ],
    [
      'of a plan during a subscription of the mobile app',
      codeFor('personal_weekly_usd', { hasMobileSubscription: true }),
      'subscriptions.managed_elsewhere',
    ],
    [
      'of an upgrade by another provider',
      codeFor('business_weekly_usd', running('personal_weekly_usd'), { provider: 'paypal' }),
      'subscriptions.not_found',
    ],
  ])('%s', (_what, code, expected) => expect(code).toBe(expected));
});
