import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openPage, type WatchedPage } from './browser/browser.ts';

export const newEmail = (): string => `user-${randomBytes(6).toString('hex')}@example.com`;

interface SandboxChoice {
  readonly provider?: 'Google' | 'Facebook' | 'Apple';
  readonly email?: string;
  readonly scenario?: string;
}

/** Resolves once the page is hydrated. */
export const untilHydrated = (page: Page): Promise<unknown> => page.waitForSelector('html[data-live]');

export async function submitSandboxLogin(
  page: Page,
  { email = newEmail(), scenario = '' }: SandboxChoice,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('What should happen').selectOption(scenario);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

export async function openProviderWindow(page: Page, provider: SandboxChoice['provider'] = 'Google'): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page
    .getByRole('button', { name: `Continue with ${provider}` })
    .last()
    .click();
  const popup = await opened;
  await untilHydrated(popup);
  return popup;
}

export async function signInByPopup(page: Page, choice: SandboxChoice = {}): Promise<void> {
  const popup = await openProviderWindow(page, choice.provider);
  const closed = popup.waitForEvent('close');
  await submitSandboxLogin(popup, choice);
  await closed.catch(async (cause: unknown) => {
    throw new Error(`The window stays open and says: ${await popup.locator('body').textContent()}`, { cause });
  });
  // Headless Chromium keeps the page in the background.
  await page.bringToFront();
}

export async function signUpByPopup(page: Page, choice: SandboxChoice = {}): Promise<void> {
  await signInByPopup(page, choice);
  await continueForFree(page);
}

export async function continueForFree(page: Page): Promise<void> {
  const plans = page.getByRole('dialog', { name: 'Choose a plan' });
  await plans.getByRole('button', { name: 'Continue for free' }).click();
  await plans.waitFor({ state: 'detached' });
}

export async function signInByRedirect(page: Page, choice: SandboxChoice = {}): Promise<void> {
  await page
    .getByRole('button', { name: `Continue with ${choice.provider ?? 'Google'}` })
    .last()
    .click();
  await page.waitForURL('**/sandbox/identity?*');
  await submitSandboxLogin(page, choice);
}

/** In the header, or in the bar of the stage. */
const loginLink = (page: Page) => page.getByRole('link', { name: 'Log in', exact: true }).first();

export async function openLogin(page: Page): Promise<void> {
  await loginLink(page).click();
  await page.getByRole('dialog', { name: 'Log in / sign up' }).waitFor();
}

export async function openLoginPage(
  browser: Browser,
  origin: string,
  options?: Parameters<typeof openPage>[2],
): Promise<WatchedPage> {
  const watched = await openPage(browser, origin, options);
  await watched.page.goto('/about/files');
  await untilHydrated(watched.page);
  await openLogin(watched.page);
  return watched;
}

export const accountLink = (page: Page, email?: string) =>
  page.getByRole('link', { name: email ? `Account, ${email}` : /^Account/ }).first();

interface TrackedEvent {
  readonly event: string;
  readonly operation?: string;
  readonly errorCode?: string;
}

export async function trackedOn(page: Page): Promise<string[]> {
  const events = await page.evaluate(() => ('dataLayer' in window ? (window.dataLayer as TrackedEvent[]) : []));
  return events
    .filter(({ operation }) => operation !== undefined)
    .map(({ event, operation, errorCode }) => [event, operation, errorCode].filter(Boolean).join(' '));
}

const TOKEN_COOKIES = {
  guest: /clearframe_[0-9a-f]{8}$/,
  member: /clearframe_[0-9a-f]{8}_member_[0-9a-f]{16}$/,
} as const;

/** The API's token in the cookie, or null. */
export async function tokenIn(context: BrowserContext, whose: 'guest' | 'member'): Promise<string | null> {
  const cookies = await context.cookies();
  const cookie = cookies.find(({ name }) => TOKEN_COOKIES[whose].test(name));
  return cookie?.value ? tokenOfCookie(cookie.value) : null;
}

export function tokenOfCookie(value: string): string | null {
  const [payload = ''] = decodeURIComponent(value).split('.');
  return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')).token ?? null;
}
