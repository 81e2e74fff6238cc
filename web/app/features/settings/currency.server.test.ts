import type { AppLoadContext } from '@remix-run/node';
import { describe, expect, test } from 'vitest';
import { sendProblem, startBackend, unusedAddress } from '../../../test/backend';
import { contextFor, cookieHeader } from '../../../test/context';
import { teaserPrices } from '../home/home.server';
import { chooseCurrency } from './currency.server';
import { settingsOf } from './settings.server';

const page = (headers: Record<string, string>) => new Request('http://clearframe.test/', { headers });

async function choose(currency: string, context: AppLoadContext): Promise<Response> {
  const body = new URLSearchParams({ currency, from: '/upgrade?period=yearly' }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const request = new Request('http://clearframe.test/currency', { method: 'POST', headers, body });
  return chooseCurrency({ request, context, params: {} });
}

test.each([
  ['the visitor’s country', { 'x-sandbox-country': 'DE' }, '9,99€'],
  ['the country rather than the browser’s region', { 'x-sandbox-country': 'US', 'accept-language': 'de-DE' }, '$9.99'],
  ['the browser’s region without a country', { 'accept-language': 'fr-FR,fr;q=0.8' }, '9,99€'],
  [
    'the default without a region, whatever the interface language',
    { cookie: 'clearframe_language=ImRlIg%3D%3D' },
    '$9.99',
  ],
  ['the default for a language without a region', { 'accept-language': 'de' }, '$9.99'],
])('prices follow %s', async (_source, headers, personal) => {
  const context = contextFor(await unusedAddress());
  expect(await teaserPrices(page(headers), context)).toMatchObject({ personal });
});

describe('a chosen currency', () => {
  test('takes precedence over the country and is stored', async () => {
    const context = contextFor(await unusedAddress());
    const response = await choose('usd', context);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/upgrade?period=yearly');
    expect(context.cookies[0]).toMatch(/Max-Age=31536000/);
    const cookie = cookieHeader(context.cookies);
    expect(await teaserPrices(page({ cookie, 'x-sandbox-country': 'DE' }), context)).toMatchObject({
      personal: '$9.99',
    });
  });

  test('is rejected when there are no prices in it', async () => {
    const context = contextFor(await unusedAddress());
    await expect(choose('gbp', context)).rejects.toMatchObject({ status: 422 });
  });
});

test('settings are requested in the visitor’s currency and cached by country', async () => {
  const requested: unknown[] = [];
  const backend = await startBackend(async (request, response) => {
    requested.push(JSON.parse((await request.toArray()).join('')).currency);
    sendProblem(response, 'service.unavailable');
  });
  const context = contextFor(backend.url);
  const countries = ['DE', 'US'].map((country) => page({ 'x-sandbox-country': country, 'accept-language': 'en' }));
  await Promise.allSettled(countries.map((request) => settingsOf(request, context)));
  expect(requested.sort()).toEqual(['eur', 'usd']);
  await settingsOf(page({ 'x-sandbox-country': 'DE' }), context, 'usd').catch(() => undefined);
  expect(requested.at(-1)).toBe('usd');
});
