import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import {
  accountLink,
  newEmail,
  openLogin,
  openLoginPage,
  openProviderWindow,
  signInByPopup,
  signInByRedirect,
  signUpByPopup,
  submitSandboxLogin,
  tokenIn,
  untilHydrated,
} from '../../support/sign-in.ts';

const product = sharedProduct();
const browser = useBrowser();

const visit = (options?: Parameters<typeof openPage>[2]) => openPage(browser(), product.url, options);

/** The processing page of a task whose file was not uploaded. */
async function announcePicture(page: Page): Promise<string> {
  await page.goto('/about/files');
  const response = await fetch(`${product.apiUrl}/api/v1/web/tasks/bulk-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenIn(page.context(), 'guest')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image_content_type: 'image/jpeg' }),
  });
  const { task_list: tasks } = (await response.json()) as { task_list: { task_id: string }[] };
  return `/processing?taskId=${tasks[0]?.task_id}`;
}

/** The processing page of a task without a file. */
const processingHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Enhancing your photo' });

const endSession = async (page: Page): Promise<void> => {
  const response = await fetch(`${product.apiUrl}/api/v1/web/users/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenIn(page.context(), 'member')}` },
  });
  expect(response.status).toBe(204);
};

describe('tabs of one browser', () => {
  itInLongRun('can log in at once', async () => {
    // The first login ends the guest's session, with which the other tab may be polling the picture's state.
    const { page, expectNoErrors, close } = await visit({ expectedStatus: 401 });
    const picture = await announcePicture(page);
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(picture);
      await untilHydrated(tab);
    }
    const email = newEmail();
    await Promise.all([openLogin(page), openLogin(other)]);
    await Promise.all([signUpByPopup(page, { email }), signUpByPopup(other, { email })]);
    for (const tab of [page, other]) {
      await accountLink(tab, email).waitFor();
      await tab.reload();
      await processingHeading(tab).waitFor();
      await accountLink(tab, email).waitFor();
    }
    expectNoErrors();
    await close();
  });

  it('are not reloaded when a login ends the session of a poll in progress', async () => {
    const { page, expectNoErrors, close } = await visit({ expectedStatus: 401 });
    await page.goto(await announcePicture(page));
    await untilHydrated(page);
    const shown = await page.evaluateHandle(() => document);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/tasks/')) statuses.push(response.status());
    });
    await page.route('**/tasks/*', (route) => route.fulfill({ status: 401 }), { times: 1 });
    // The polls after it go on.
    await expect.poll(() => statuses.slice(statuses.indexOf(401)).slice(0, 2)).toEqual([401, 200]);
    await expect.poll(() => shown.evaluate((before) => before === document)).toBe(true);
    expectNoErrors();
    await close();
  });

  itInLongRun('close a popup whose opener was reloaded', async () => {
    const { page, expectNoErrors, close } = await openLoginPage(browser(), product.url);
    const popup = await openProviderWindow(page);
    await page.reload();
    await untilHydrated(page);
    const closed = popup.waitForEvent('close');
    await submitSandboxLogin(popup, {});
    await closed;
    expectNoErrors();
    await close();
  });

  itInLongRun('are updated by a login in another', async () => {
    const { page, expectNoErrors, close } = await visit();
    await page.goto('/');
    await untilHydrated(page);
    const other = await page.context().newPage();
    await other.goto('/about/files');
    await untilHydrated(other);
    await openLogin(page);
    await signInByPopup(page);
    await accountLink(other).waitFor();
    expectNoErrors();
    await close();
  });
});

describe('ending a session', () => {
  itWithAndWithoutJavaScript('leads to the login and back', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, close } = await visit({ javaScriptEnabled });
    const signIn = javaScriptEnabled ? signInByPopup : signInByRedirect;
    const email = newEmail();
    const picture = await announcePicture(page);
    const logIn = async () => {
      await page.getByRole('heading', { level: 1, name: 'Log in / sign up' }).waitFor();
      if (javaScriptEnabled) await untilHydrated(page);
      await signIn(page, { email });
      await accountLink(page, email).waitFor();
      await processingHeading(page).waitFor();
      await expect.poll(() => page.url()).toBe(`${product.url}${picture}`);
    };
    await page.goto(`/login?${new URLSearchParams({ returnTo: picture })}`);
    await logIn();
    await endSession(page);
    // The page notices it by itself.
    await logIn();
    await close();
  });

  it('by logout starts a new guest', async () => {
    const { page, expectNoErrors, close } = await visit({ javaScriptEnabled: false });
    await page.goto('/login');
    await signInByRedirect(page);
    await accountLink(page).waitFor();
    const token = await tokenIn(page.context(), 'member');
    await page.goto('/account/general');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    expect(await tokenIn(page.context(), 'member')).toBeNull();
    const response = await fetch(`${product.apiUrl}/api/v1/web/users/@me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
    expectNoErrors();
    await close();
  });
});
