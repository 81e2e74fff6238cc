import { randomUUID } from 'node:crypto';
import { pathOf, sandboxRoutes } from '@clearframe/contract';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ApiClient } from './api-client.ts';
import { openPage, type WatchedPage } from './browser/browser.ts';
import { until } from './product/until.ts';
import { tokenIn } from './sign-in.ts';

export interface Member extends WatchedPage {
  readonly email: string;
  readonly account: ApiClient;
}

export async function openMember(
  browser: Browser,
  origin: string,
  options: Parameters<typeof openPage>[2] = {},
): Promise<Member> {
  const watched = await openPage(browser, origin, options);
  const email = `${randomUUID()}@example.com`;
  await signIn(watched.page, origin, email);
  return { ...watched, email, account: await ApiClient.logIn(origin, email) };
}

export async function visitorOf(page: Page): Promise<ApiClient> {
  const { origin } = new URL((await page.request.get('/healthz')).url());
  const context = page.context();
  const tokenNow = async () => (await tokenIn(context, 'member')) ?? (await tokenIn(context, 'guest'));
  // Pages create a guest unless the api is too busy.
  const token = await until(
    'the visitor has a token',
    async () => (await tokenNow()) ?? (await page.request.get('/').then(tokenNow)),
  );
  return ApiClient.withToken(origin, token);
}

export async function signIn(page: Page, origin: string, email: string): Promise<void> {
  const issued = await page.request.post(`${origin}${pathOf(sandboxRoutes.issueIdentityToken)}`, {
    data: { provider: 'google', email },
  });
  const { id_token } = (await issued.json()) as { id_token: string };
  const response = await page.request.post(`${origin}/login/complete`, { form: { idToken: id_token } });
  expect(response.status()).toBe(200);
}
