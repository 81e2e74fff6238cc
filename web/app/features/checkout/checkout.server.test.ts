import { type ExportState, type PaymentProviderName, toWire, User } from '@clearframe/contract';
import { expect, test } from 'vitest';
import { contextWith } from '../../../test/offered-prices';
import { ADA, memberCookie } from '../../../test/users';
import { TASK_ID, task } from '../../../test/wire';
import { loadCheckout } from './checkout.server';

const DAY_MS = 86_400_000;

async function open(query: string, user: User, answers: Readonly<Record<string, unknown>> = {}) {
  const context = await contextWith({}, { '/users/@me': toWire(User, user), ...answers });
  const request = new Request(`http://clearframe.test/checkout?${query}`, {
    headers: { cookie: await memberCookie(context), 'accept-language': 'en-US' },
  });
  return loadCheckout({ request, context, params: {} });
}

const orderOf = async (...visit: Parameters<typeof open>) => (await open(...visit)).order;

test('a pack’s price is shown for one download', async () => {
  expect((await orderOf('priceId=ten_exports_usd', ADA)).item).toMatchObject({ exports: 10, priceEach: '$2.50' });
});

test('the trial of a longer period has the downloads of a week', async () => {
  const trialOf = async (priceId: string) => (await orderOf(`priceId=${priceId}&freeTrialEnabled=true`, ADA)).trial;
  expect(await trialOf('personal_yearly_usd')).toMatchObject({ isChosen: true, exports: 20 });
  expect(await trialOf('business_yearly_usd')).toMatchObject({ isChosen: true, exports: null });
});

test('paying an overdue invoice leaves the next charge at the end of the running period', async () => {
  const priceId = 'personal_yearly_usd';
  const end = new Date(Date.now() + 40 * DAY_MS);
  const overdue: User = {
    ...ADA,
    monetization: {
      ...ADA.monetization,
      trialAvailable: false,
      openSubscription: { provider: 'stripe', priceId, state: 'past_due', hasIntro: false },
    },
  };
  const subscription = {
    subscription_id: 'sub_1',
    status: 'past_due',
    price_id: priceId,
    has_been_canceled: false,
    cancellation_date: null,
    current_period_end: end.toISOString(),
    trial_end: null,
    portal_session_url: null,
  };
  const { next } = await orderOf(`priceId=${priceId}`, overdue, { '/stripe/subscriptions': subscription });
  const expected = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(end);
  expect(next?.date.replaceAll('\u00a0', ' ')).toContain(expected);
});

const ofPhoto = (priceId: string, export_state: ExportState) =>
  open(`priceId=${priceId}&taskId=${TASK_ID}`, ADA, { [`/tasks/${TASK_ID}`]: task({ export_state }) });

test.each(['preparing', 'ready'] as const)('of a paid photo (%s) leads to its download', async (state) => {
  const answer: unknown = await ofPhoto('single_export_usd', state).catch((thrown: unknown) => thrown);
  expect(answer).toBeInstanceOf(Response);
  expect((answer as Response).headers.get('location')).toBe(`/result?taskId=${TASK_ID}&download=1`);
});

test('of a paid photo still sells plans and packs', async () => {
  for (const priceId of ['personal_weekly_usd', 'three_exports_usd']) {
    expect((await ofPhoto(priceId, 'ready')).order).toMatchObject({ priceId });
  }
  expect((await ofPhoto('single_export_usd', 'none')).order).toMatchObject({ priceId: 'single_export_usd' });
});

const subscribed = (
  priceId: string,
  state: NonNullable<User['monetization']['openSubscription']>['state'] = 'running',
  provider: PaymentProviderName = 'stripe',
): User => ({
  ...ADA,
  monetization: {
    ...ADA.monetization,
    isSubscribed: state === 'running',
    priceId,
    subscriptionProvider: provider,
    openSubscription: { provider, priceId, state, hasIntro: false },
  },
});
const BY_APP: User = {
  ...ADA,
  monetization: { ...ADA.monetization, isSubscribed: true, subscriptionProvider: 'mobile' },
};

const PERSONAL = { plan: 'personal', period: 'weekly', price: '$9.99', currency: 'usd' };

test.each<[string, string, User, number, object]>([
  [
    'the running plan',
    'personal_weekly_usd',
    subscribed('personal_weekly_usd'),
    409,
    { reason: 'current', has: PERSONAL },
  ],
  ['a downgrade', 'personal_weekly_usd', subscribed('business_weekly_usd'), 409, { reason: 'downgrade' }],
  [
    'the other currency',
    'business_weekly_eur',
    subscribed('personal_weekly_usd'),
    422,
    { reason: 'currency', has: PERSONAL },
  ],
  [
    'an unpaid plan’s neighbor',
    'business_weekly_usd',
    subscribed('personal_weekly_usd', 'past_due'),
    409,
    { reason: 'unpaid' },
  ],
  [
    'a wallet’s unpaid plan',
    'personal_weekly_usd',
    subscribed('personal_weekly_usd', 'past_due', 'paypal'),
    409,
    { reason: 'unpaid' },
  ],
  [
    'a plan beside a new one',
    'business_weekly_usd',
    subscribed('personal_weekly_usd', 'pending'),
    409,
    { reason: 'pending' },
  ],
  ['a plan on hold', 'personal_weekly_usd', subscribed('personal_weekly_usd', 'blocked'), 409, { reason: 'blocked' }],
  ['a plan beside the app’s', 'personal_weekly_usd', BY_APP, 409, { reason: 'mobile', has: null }],
  ['a former price', 'personal_weekly_former_usd', ADA, 422, { reason: 'not_for_sale', has: null }],
  ['an unknown price', 'none', ADA, 404, { reason: 'not_for_sale', has: null }],
])('of %s says what the buyer has and has one next step', async (_what, priceId, user, status, refusal) => {
  const answer: unknown = await open(`priceId=${priceId}`, user).catch((thrown: unknown) => thrown);
  expect(answer).toBeInstanceOf(Response);
  expect((answer as Response).status).toBe(status);
  expect((await (answer as Response).json()).refusal).toMatchObject(refusal);
});
