import { randomUUID } from 'node:crypto';
import { mobileRoutes, pathOf, paymentRoutes, sandboxRoutes, subscriptionRoutes } from '@clearframe/contract';
import { ApiClient } from '../api-client.ts';
import { environmentOf, withDatabase } from '../product/database.ts';
import { sharedProduct } from '../product/shared-product.ts';
import { tokenOfCookie } from '../sign-in.ts';
import { FOR_SALE, smallPicture } from './checkout.ts';

const product = sharedProduct();
const { url } = product;
export const idOf = (price: string): string => `sbx_price_${price}`;

export interface Buyer {
  readonly account: ApiClient;
  readonly cookie: string;
  readonly taskId: string | null;
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .filter((pair) => !pair?.endsWith('='))
    .join('; ');

async function guest(): Promise<Buyer> {
  return { account: await ApiClient.createGuest(url), cookie: cookiesOf(await fetch(`${url}/`)), taskId: null };
}

function guestTokenIn(cookies: string): string {
  const [, value] = /clearframe_[0-9a-f]{8}=([^;]+)/.exec(cookies) ?? [];
  const token = value ? tokenOfCookie(value) : null;
  if (!token) throw new Error(`no guest in the cookies: ${cookies}`);
  return token;
}

/** Known to the page and the API. */
async function guestWithPicture(): Promise<Buyer> {
  const { cookie } = await guest();
  const account = ApiClient.withToken(url, guestTokenIn(cookie));
  return { account, cookie, taskId: await account.enhance(await smallPicture(), 'sea.jpg', FOR_SALE) };
}

export async function member(): Promise<Buyer> {
  const email = `${randomUUID()}@example.com`;
  const account = await ApiClient.logIn(url, email);
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
  const { payment_method_id: methodId = '' } = await account.postSandbox<{ payment_method_id?: string }>(
    `payments/setup_intents/${id}/confirm`,
    { card_number: cardNumber },
  );
  return methodId;
}

const GOOD = '4242424242424242';
const FIRST_CHARGE_FAILS = '4000000000000341';

export async function subscribed(price: string, { trial = false, card = GOOD } = {}): Promise<Buyer> {
  const buyer = await member();
  const paymentMethodId = await methodOf(buyer, card);
  await buyer.account.call(subscriptionRoutes.subscribeByCard, {
    body: { paymentMethodId, priceId: idOf(price), trial },
  });
  return buyer;
}

export async function subscribedByWallet(price: string): Promise<Buyer> {
  const buyer = await member();
  const { webUserId } = await buyer.account.me();
  const { subscription_id: subscriptionId } = await buyer.account.postSandbox<{ subscription_id: string }>(
    'payments/wallet/subscriptions',
    { plan_id: `sbx_plan_${price}`, custom_id: `${webUserId}-${randomUUID().slice(0, 8)}` },
  );
  await buyer.account.call(subscriptionRoutes.subscribeByWallet, { body: { subscriptionId } });
  return buyer;
}

async function canceled(buyer: Buyer, provider: 'stripe' | 'paypal'): Promise<Buyer> {
  await buyer.account.call(subscriptionRoutes.cancelSubscription, { params: { provider }, query: {} });
  return buyer;
}

async function withCredits(): Promise<Buyer> {
  const buyer = await member();
  const body = { priceId: idOf('three_exports_usd'), unlockedExports: 3 };
  const { clientSecret, paymentId } = await buyer.account.call(paymentRoutes.createPaymentIntent, { body });
  const [id = ''] = clientSecret.split('_secret_');
  await buyer.account.postSandbox(`payments/payment_intents/${id}/confirm`, { card_number: GOOD });
  await buyer.account.call(paymentRoutes.confirmPayment, { params: { paymentId } });
  return buyer;
}

/** `read_no` exceeds that of any later sync. */
export const PAST_DUE = `UPDATE subscriptions SET status = 'past_due', read_no = 1e12::bigint WHERE user_id = $1`;

/** Sets a state that otherwise needs another clock, or staff. */
export async function modify(account: ApiClient, sql: string): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  const { webUserId } = await account.me();
  await withDatabase(DATABASE_URL, async (client) => {
    await client.query('BEGIN');
    // The API's lock on a user's rows: an event that is being processed must not undo the change.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${webUserId}`]);
    await client.query(sql, [webUserId]);
    await client.query('COMMIT');
  });
}

async function modified(creation: Promise<Buyer>, sql: string): Promise<Buyer> {
  const buyer = await creation;
  await modify(buyer.account, sql);
  return buyer;
}

async function mobile(): Promise<Buyer> {
  const buyer = await member();
  const { email } = await buyer.account.me();
  await buyer.account.call(mobileRoutes.linkMobileSubscription, {
    body: { oracleBackendId: await buyer.account.subscribeInMobileApp(email ?? '') },
  });
  return buyer;
}

const GIFT = `INSERT INTO gift_redemptions (id, user_id, code_id, starts_at, expires_at, created_at)
  VALUES (gen_random_uuid(), $1, gen_random_uuid(), now(), now() + interval '9 days', now())`;

/** Visitor states with their set-up. */
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
  ['past due', () => modified(subscribed('personal_monthly_usd'), PAST_DUE)],
  ['made free by staff', () => modified(member(), 'UPDATE users SET is_free = true WHERE id = $1')],
  ['given a gift code', () => modified(member(), GIFT)],
  ['subscribed in the mobile app', mobile],
  ['incomplete business', () => subscribed('business_yearly_usd', { card: FIRST_CHARGE_FAILS })],
];
