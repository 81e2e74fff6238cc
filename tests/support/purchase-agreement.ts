import { randomUUID } from 'node:crypto';
import {
  checkoutRoutes,
  introPriceOf,
  isErrorCode,
  mobileRoutes,
  PRICES,
  pathOf,
  paymentRoutes,
  sandboxMobileRoutes,
  sandboxPaymentRoutes,
  sandboxRoutes,
  subscriptionRoutes,
  toWire,
} from '@clearframe/contract';
import { environmentOf, withDatabase } from './database.ts';
import { Guest } from './guest.ts';
import { smallPicture } from './paying.ts';
import { sharedProduct } from './shared-product.ts';
import { tokenOfCookie } from './sign-in.ts';

const product = sharedProduct();
const { url } = product;
const idOf = (price: string): string => `sbx_price_${price}`;

/** A user in some state, with a browser's cookies and the API's token. */
interface Buyer {
  readonly account: Guest;
  readonly cookie: string;
  /** The task that the purchase is for; null for a purchase that is for none. */
  readonly taskId: string | null;
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .filter((pair) => !pair?.endsWith('='))
    .join('; ');

async function guest(): Promise<Buyer> {
  return { account: await Guest.arrive(url), cookie: cookiesOf(await fetch(`${url}/`)), taskId: null };
}

function guestTokenIn(cookies: string): string {
  const [, value] = /clearframe_[0-9a-f]{8}=([^;]+)/.exec(cookies) ?? [];
  const token = value ? tokenOfCookie(value) : null;
  if (!token) throw new Error(`no guest in the cookies: ${cookies}`);
  return token;
}

/** One guest to the page and to the API: the picture is theirs. */
async function guestWithPicture(): Promise<Buyer> {
  const { cookie } = await guest();
  const account = Guest.of(url, guestTokenIn(cookie));
  return { account, cookie, taskId: await account.finish(await smallPicture(), 'sea.jpg') };
}

async function member(): Promise<Buyer> {
  const email = `${randomUUID()}@example.com`;
  const account = await Guest.logIn(url, email);
  const issued = await fetch(`${url}${pathOf(sandboxRoutes.issueIdentityToken)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'google', email }),
  });
  const { id_token } = (await issued.json()) as { id_token: string };
  const login = await fetch(`${url}/login/complete`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ idToken: id_token }),
  });
  return { account, cookie: cookiesOf(login), taskId: null };
}

async function methodOf({ account }: Buyer, cardNumber: string): Promise<string> {
  const { clientSecret } = await account.call(paymentRoutes.createSetupIntent, { body: {} });
  const [id = ''] = clientSecret.split('_secret_');
  const params = { intentId: id };
  const confirmed = await account.call(sandboxPaymentRoutes.confirmSetupIntent, { params, body: { cardNumber } });
  return ('paymentMethodId' in confirmed && confirmed.paymentMethodId) || '';
}

const GOOD = '4242424242424242';
const FIRST_CHARGE_FAILS = '4000000000000341';

async function subscribed(price: string, { trial = false, card = GOOD } = {}): Promise<Buyer> {
  const buyer = await member();
  const paymentMethodId = await methodOf(buyer, card);
  await buyer.account.call(subscriptionRoutes.subscribeByCard, {
    body: { paymentMethodId, priceId: idOf(price), trial },
  });
  return buyer;
}

async function subscribedByWallet(price: string): Promise<Buyer> {
  const buyer = await member();
  const { webUserId } = await buyer.account.me();
  const { subscriptionId } = await buyer.account.call(sandboxPaymentRoutes.subscribeByWallet, {
    body: { planId: `sbx_plan_${price}`, customId: `${webUserId}-${randomUUID().slice(0, 8)}` },
  });
  await buyer.account.call(subscriptionRoutes.subscribeByWallet, { body: { subscriptionId } });
  return buyer;
}

async function canceled(buyer: Buyer, provider: 'stripe' | 'paypal'): Promise<Buyer> {
  await buyer.account.call(subscriptionRoutes.cancelSubscription, { params: { provider } });
  return buyer;
}

async function withCredits(): Promise<Buyer> {
  const buyer = await member();
  const body = { priceId: idOf('three_exports_usd'), unlockedExports: 3 };
  const { clientSecret, paymentId } = await buyer.account.call(paymentRoutes.createPaymentIntent, { body });
  const [id = ''] = clientSecret.split('_secret_');
  await buyer.account.call(sandboxPaymentRoutes.confirmPaymentIntent, {
    params: { intentId: id },
    body: { cardNumber: GOOD },
  });
  await buyer.account.call(paymentRoutes.confirmPayment, { params: { paymentId } });
  return buyer;
}

/** A reading that no later one overwrites. */
const PAST_DUE = `UPDATE subscriptions SET status = 'past_due', read_no = 1e12::bigint WHERE user_id = $1`;

/** Brings about what would need another clock, or staff. */
async function changed(making: Promise<Buyer>, sql: string): Promise<Buyer> {
  const buyer = await making;
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  const { webUserId } = await buyer.account.me();
  await withDatabase(DATABASE_URL, (client) => client.query(sql, [webUserId]));
  return buyer;
}

async function mobile(): Promise<Buyer> {
  const buyer = await member();
  const { email } = await buyer.account.me();
  const body = { email: email ?? '' };
  await buyer.account.call(mobileRoutes.linkMobile, {
    body: await buyer.account.call(sandboxMobileRoutes.subscribe, { body }),
  });
  return buyer;
}

/** A gift code that runs. */
const GIFT = `INSERT INTO gift_redemptions (id, user_id, code_id, starts_at, expires_at, created_at)
  VALUES (gen_random_uuid(), $1, gen_random_uuid(), now(), now() + interval '9 days', now())`;

/** What a visitor may have, and a way to bring it about. */
export const STATES: readonly (readonly [string, () => Promise<Buyer>])[] = [
  ['guest', guest],
  ['guest with a picture', guestWithPicture],
  ['base', member],
  ['credits', withCredits],
  ['trialing', () => subscribed('personal_weekly_usd', { trial: true })],
  ['trial used', async () => canceled(await subscribed('personal_yearly_usd', { trial: true }), 'stripe')],
  ['personal weekly by card', () => subscribed('personal_weekly_usd')],
  ['personal monthly by card', () => subscribed('personal_monthly_usd')],
  ['personal yearly by card', () => subscribed('personal_yearly_usd')],
  ['personal weekly in euro', () => subscribed('personal_weekly_eur')],
  ['personal weekly by wallet', () => subscribedByWallet('personal_weekly_usd')],
  ['personal yearly by wallet', () => subscribedByWallet('personal_yearly_usd')],
  ['business by card', () => subscribed('business_weekly_usd')],
  ['business by wallet', () => subscribedByWallet('business_monthly_usd')],
  [
    'canceled by wallet, still running',
    async () => canceled(await subscribedByWallet('personal_weekly_usd'), 'paypal'),
  ],
  ['incomplete', () => subscribed('personal_weekly_usd', { card: FIRST_CHARGE_FAILS })],
  ['past due', () => changed(subscribed('personal_monthly_usd'), PAST_DUE)],
  ['made free by staff', () => changed(member(), 'UPDATE users SET is_free = true WHERE id = $1')],
  ['given a gift code', () => changed(member(), GIFT)],
  ['subscribed in the mobile app', mobile],
  ['incomplete business', () => subscribed('business_yearly_usd', { card: FIRST_CHARGE_FAILS })],
];

/** What a visit adds to the price. */
export const VISITS = [
  { version: null, trial: false, country: 'DE' },
  { version: null, trial: true, country: 'DE' },
  { version: 'ip', trial: true, country: 'DE' },
  { version: 'ft', trial: false, country: 'KP' },
] as const;
export type Visit = (typeof VISITS)[number];

/** All prices in one currency, some in the other, and an id of none. */
export const NAMES = [
  ...PRICES.filter(({ currency }) => currency === 'usd').map(({ id }) => id),
  'personal_weekly_eur',
  'business_yearly_eur',
  'three_exports_eur',
  'none',
];

interface Terms {
  readonly trial: boolean;
  readonly introPriceId: string | null;
  readonly upgrade?: boolean;
  readonly provider?: 'stripe' | 'paypal';
}

/** What the API says to the very purchase that a page offers: `allowed`, or the code of its refusal. */
async function askApi(
  { account, taskId }: Buyer,
  name: string,
  { version, country }: Visit,
  terms: Terms,
): Promise<string> {
  const me = await account.me();
  const isPack = PRICES.some(({ id, kind }) => id === name && kind === 'pack');
  const unlockedExports = isPack ? null : me.availableCredits;
  const body = { priceId: idOf(name), clientTaskId: taskId, version, unlockedExports, ...terms };
  const response = await fetch(`${url}${pathOf(checkoutRoutes.createCheckout)}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.token}`,
      'content-type': 'application/json',
      'x-sandbox-country': country,
    },
    body: JSON.stringify(toWire(checkoutRoutes.createCheckout.body, body)),
  });
  if (response.status === 201) return 'allowed';
  return ((await response.json()) as { error_code: string }).error_code;
}

interface Shown {
  /** `checkout`, `change`, or the code of the refusal. */
  readonly outcome: string;
  readonly isTrial: boolean;
  readonly hasIntro: boolean;
  readonly hasWallet: boolean;
}

/** What opens at an address, as a browser sees it. */
async function openPage({ cookie, taskId }: Buyer, name: string, { version, trial, country }: Visit): Promise<Shown> {
  const query = new URLSearchParams({ priceId: idOf(name), freeTrialEnabled: String(trial) });
  if (taskId) query.set('taskId', taskId);
  if (version) query.set('version', version);
  const headers = { cookie, 'x-sandbox-country': country };
  const response = await fetch(`${url}/checkout?${query}`, { headers, redirect: 'manual' });
  const html = await response.text();
  const has = (field: string) => html.includes(`name="${field}" value="true"`);
  return {
    outcome: outcomeOf(response, html, 'checkout'),
    isTrial: has('freeTrialEnabled'),
    hasIntro: has('withIntroPrice'),
    hasWallet: html.includes('value="wallet"'),
  };
}

function outcomeOf(response: Response, html: string, ok: string): string {
  const location = response.headers.get('location') ?? '';
  if (response.status === 200) return ok;
  if (location.startsWith('/login')) return 'billing.login_required';
  if (location.startsWith('/unavailable')) return 'billing.country_blocked';
  if (location.startsWith('/upgrade/confirm')) return 'change';
  if (location.includes('/api/sandbox/pages/')) return 'paying';
  const named = [...html.matchAll(/[a-z_]+\.[a-z_]+/g)].map(([text]) => text).filter(isErrorCode);
  return named[0] ?? `${response.status} ${location}`;
}

/** Sends the form of the page. */
async function submit({ cookie, account, taskId }: Buyer, name: string, { version, country }: Visit, shown: Shown) {
  const fields = new URLSearchParams({ priceId: idOf(name), method: 'card', attempt: randomUUID() });
  if (taskId) fields.set('taskId', taskId);
  if (shown.isTrial) fields.set('freeTrialEnabled', 'true');
  if (shown.hasIntro) fields.set('withIntroPrice', 'true');
  if ((await account.me()).availableCredits > 0) fields.set('agreesToForfeit', 'true');
  const response = await fetch(`${url}/checkout${version ? `?version=${version}` : ''}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'x-sandbox-country': country },
    body: fields,
    redirect: 'manual',
  });
  return outcomeOf(response, await response.text(), 'checkout');
}

/** Where the page, its form and the API answer one purchase differently; empty where they agree. */
export async function disagreements(buyer: Buyer, name: string, visit: Visit): Promise<string[]> {
  const shown = await openPage(buyer, name, visit);
  const intro = shown.hasIntro ? introPriceOf(name) : undefined;
  const terms = { trial: shown.isTrial, introPriceId: intro ? idOf(intro.id) : null };
  const wrong: string[] = [];
  const expectSame = (what: string, page: string, api: string) => {
    if (page !== api) wrong.push(`${what}: the page says ${page}, the API ${api}`);
  };
  const answer = await askApi(buyer, name, visit, terms);
  if (shown.outcome === 'change') {
    const provider = (await buyer.account.me()).monetization.openSubscription?.provider;
    expectSame(
      'without upgrade',
      'subscriptions.exists',
      answer === 'subscriptions.not_found' ? 'subscriptions.exists' : answer,
    );
    expectSame('upgrade', 'allowed', await askApi(buyer, name, visit, { ...terms, upgrade: true, provider }));
    return wrong;
  }
  expectSame('page', shown.outcome === 'checkout' ? 'allowed' : shown.outcome, answer);
  const submitted = await submit(buyer, name, visit, shown);
  expectSame('form', submitted === 'paying' ? 'allowed' : submitted, answer);
  if (shown.outcome !== 'checkout') return wrong;
  const byWallet = await askApi(buyer, name, visit, { ...terms, provider: 'paypal' });
  expectSame('wallet', shown.hasWallet ? 'allowed' : 'refused', byWallet === 'allowed' ? byWallet : 'refused');
  return wrong;
}
