import { randomUUID } from 'node:crypto';
import { LOCALES, type Locale, userExportRoutes } from '@clearframe/contract';
import { sharedProduct } from '../product/shared-product.ts';
import { type Buyer, idOf, member } from './buyers.ts';

const { url } = sharedProduct();
const GOOD_CARD = '4242424242424242';

interface ShownPrice {
  readonly language: Locale;
  readonly page: string;
  /** In cents. */
  readonly amounts: readonly number[];
}

/** Prices as the specification writes them: `$9.99`, `9,99€`. @returns cents, in the order of the text */
export function amountsIn(html: string, currency: 'usd' | 'eur'): number[] {
  const text = html.replace(/<!--.*?-->/g, '').replace(/<[^>]+>/g, ' ');
  const pattern = currency === 'usd' ? /\$(\d+)\.(\d\d)/g : /(\d+),(\d\d)€/g;
  return [...text.matchAll(pattern)].map(([, whole, cents]) => Number(whole) * 100 + Number(cents));
}

const COUNTRIES = { usd: 'US', eur: 'DE' } as const;
export type Currency = keyof typeof COUNTRIES;

async function pageIn(language: Locale, path: string, { cookie }: Buyer, currency: Currency): Promise<string> {
  const tag = language.replace('_', '-');
  const headers = { cookie, 'accept-language': tag, 'x-sandbox-country': COUNTRIES[currency] };
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
  const html = await response.text();
  if (response.status !== 200 || !html.includes(`<html lang="${tag}"`))
    throw new Error(`${path} in ${language} answers ${response.status}`);
  return html;
}

const inEveryLanguage = <Result>(read: (language: Locale) => Promise<Result>): Promise<Result[]> =>
  Promise.all(LOCALES.map(read));

/** What the checkout names as the amount: the large figure, and the button that pays. */
export function checkoutAmounts(buyer: Buyer, path: string, currency: Currency): Promise<ShownPrice[]> {
  return inEveryLanguage(async (language) => {
    const html = await pageIn(language, path, buyer, currency);
    const [, order = ''] = /aria-labelledby="order"(.*?)<\/section>/s.exec(html) ?? [];
    const [, figure = ''] = /<\/h2>(.*?)<\/p>/s.exec(order) ?? [];
    const [button = ''] = html.match(/<button[^>]*value="card".*?<\/button>/gs)?.slice(-1) ?? [];
    return { language, page: path, amounts: [...amountsIn(figure, currency), ...amountsIn(button, currency)] };
  });
}

/** The first amount of each offer on a page, by the provider's price id that its link buys. */
export function offeredAmounts(
  buyer: Buyer,
  path: string,
  currency: Currency,
): Promise<{ readonly language: Locale; readonly byPriceId: Readonly<Record<string, number | undefined>> }[]> {
  return inEveryLanguage(async (language) => {
    const html = await pageIn(language, path, buyer, currency);
    const offers = html.split('<li').flatMap((item) => {
      const [, priceId] = /priceId=([\w]+)/.exec(item) ?? [];
      return priceId ? [[priceId, amountsIn(item, currency)[0]] as const] : [];
    });
    return { language, byPriceId: Object.fromEntries(offers) };
  });
}

export async function chargeOf(price: string, { version = '' } = {}): Promise<number> {
  const buyer = await member();
  const send = (target: string | URL, fields?: Readonly<Record<string, string>>) =>
    fetch(new URL(target, url), {
      headers: { cookie: buyer.cookie, origin: url },
      redirect: 'manual',
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
  const locationOf = (response: Response) => new URL(response.headers.get('location') ?? '', url);
  const fields = {
    priceId: idOf(price),
    method: 'card',
    attempt: randomUUID(),
    ...(version === 'ip' && { withIntroPrice: 'true' }),
  };
  const page = locationOf(await send(`/checkout${version && `?version=${version}`}`, fields));
  const session = page.searchParams.get('session');
  if (!session) throw new Error(`${price}: no payment page, but ${page.href}`);
  await send(locationOf(await send(page, { session, card_number: GOOD_CARD })));
  const { payments, subscriptions } = await buyer.account.call(userExportRoutes.exportCurrentUser, {});
  return payments[0]?.amountCents ?? subscriptions[0]?.paidCents ?? 0;
}
