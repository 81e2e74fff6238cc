import { randomUUID } from 'node:crypto';
import { checkoutRoutes, introPriceOf, isErrorCode, PRICES, pathOf, toWire, type User } from '@clearframe/contract';
import { sharedProduct } from '../product/shared-product.ts';
import { type Buyer, idOf } from './buyers.ts';

const { url } = sharedProduct();

export interface Visit {
  readonly version: string | null;
  readonly trial: boolean;
  readonly country: string;
}

/** Query parameters besides the price. */
export const VISITS: readonly Visit[] = [
  { version: null, trial: false, country: 'DE' },
  { version: null, trial: true, country: 'DE' },
  { version: 'ip', trial: true, country: 'DE' },
];
/** Request from a country without sales, where all prices are refused. */
export const BLOCKED_VISIT: Visit = { version: 'ft', trial: false, country: 'KP' };

/** All prices in one currency, some in the other, and an unknown one. */
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

const users = new WeakMap<Buyer, Promise<User>>();

/** Read once: opening payment pages does not change it. */
function userOf(buyer: Buyer): Promise<User> {
  const user = users.get(buyer) ?? buyer.account.me();
  users.set(buyer, user);
  return user;
}

/** `allowed` or an error code, for the purchase that a page offers. */
async function outcomeOfApi(buyer: Buyer, name: string, { version, country }: Visit, terms: Terms): Promise<string> {
  const { account, taskId } = buyer;
  const me = await userOf(buyer);
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
  /** `checkout`, `change` or an error code. */
  readonly outcome: string;
  readonly isTrial: boolean;
  readonly hasIntro: boolean;
  readonly hasWallet: boolean;
}

/** The page as the server renders it. */
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
    isTrial: has('trialShown'),
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

/** Submits the page's form. */
async function submit(buyer: Buyer, name: string, { version, country }: Visit, shown: Shown) {
  const { cookie, taskId } = buyer;
  const fields = new URLSearchParams({ priceId: idOf(name), method: 'card', attempt: randomUUID() });
  if (taskId) fields.set('taskId', taskId);
  if (shown.isTrial) for (const field of ['trialShown', 'freeTrialEnabled']) fields.set(field, 'true');
  if (shown.hasIntro) fields.set('withIntroPrice', 'true');
  if ((await userOf(buyer)).availableCredits > 0) fields.set('agreesToForfeit', 'true');
  const response = await fetch(`${url}/checkout${version ? `?version=${version}` : ''}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'x-sandbox-country': country },
    body: fields,
    redirect: 'manual',
  });
  return outcomeOf(response, await response.text(), 'checkout');
}

/** Differences between the page, its form and the API. */
export async function disagreements(buyer: Buyer, name: string, visit: Visit): Promise<string[]> {
  const shown = await openPage(buyer, name, visit);
  const intro = shown.hasIntro ? introPriceOf(name) : undefined;
  const terms = { trial: shown.isTrial, introPriceId: intro ? idOf(intro.id) : null };
  const wrong: string[] = [];
  const expectSame = (what: string, page: string, api: string) => {
    if (page !== api) wrong.push(`${what}: the page says ${page}, the API ${api}`);
  };
  const answer = await outcomeOfApi(buyer, name, visit, terms);
  if (shown.outcome === 'change') {
    const provider = (await userOf(buyer)).monetization.openSubscription?.provider;
    expectSame(
      'without upgrade',
      'subscriptions.exists',
      answer === 'subscriptions.not_found' ? 'subscriptions.exists' : answer,
    );
    expectSame('upgrade', 'allowed', await outcomeOfApi(buyer, name, visit, { ...terms, upgrade: true, provider }));
    return wrong;
  }
  expectSame('page', shown.outcome === 'checkout' ? 'allowed' : shown.outcome, answer);
  const submitted = await submit(buyer, name, visit, shown);
  expectSame('form', submitted === 'paying' ? 'allowed' : submitted, answer);
  if (shown.outcome !== 'checkout') return wrong;
  const byWallet = await outcomeOfApi(buyer, name, visit, { ...terms, provider: 'paypal' });
  expectSame('wallet', shown.hasWallet ? 'allowed' : 'refused', byWallet === 'allowed' ? byWallet : 'refused');
  return wrong;
}
