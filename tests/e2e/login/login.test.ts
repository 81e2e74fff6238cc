import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import {
  accountLink,
  answerSandbox,
  newEmail,
  openLogin,
  openLoginPage,
  openProviderWindow,
  signInByPopup,
  signInByRedirect,
  tokenIn,
  trackedOn,
  untilLive,
} from '../../support/identity/sign-in.ts';
import { enhancePicture } from '../../support/payments/checkout.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

const visit = (options?: Parameters<typeof openPage>[2]) => openPage(browser(), product.url, options);

/** A picture that is small enough to be enhanced at once. */
const smallPortrait = async () => ({ name: 'small.jpg', mimeType: 'image/jpeg', buffer: await blurredPortrait(96) });

/** The processing page of a task whose file was not uploaded. */
async function announcePicture(page: Page): Promise<string> {
  await page.goto('/about/files');
  const answer = await fetch(`${product.apiUrl}/api/v1/web/tasks/bulk-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenIn(page.context(), 'guest')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image_content_type: 'image/jpeg' }),
  });
  const { task_list: tasks } = (await answer.json()) as { task_list: { task_id: string }[] };
  return `/processing?taskId=${tasks[0]?.task_id}`;
}

/** The processing page of a task without a file. */
const processingHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Enhancing your photo' });

const endSession = async (page: Page): Promise<void> => {
  const answer = await fetch(`${product.apiUrl}/api/v1/web/users/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenIn(page.context(), 'member')}` },
  });
  expect(answer.status).toBe(204);
};

describe('logging in', () => {
  it('in the modal keeps the page and updates its header', async () => {
    const { page, expectQuiet, close } = await visit();
    await page.goto('/?v=b');
    await untilLive(page);
    await page.evaluate(() => document.body.setAttribute('data-mark', ''));
    await openLogin(page);
    expect(new URL(page.url()).pathname).toBe('/login');
    const email = newEmail();
    await signInByPopup(page, { provider: 'Google', email });
    await accountLink(page, email).waitFor();
    expect(page.url()).toBe(`${product.url}/?v=b`);
    expect(await page.evaluate(() => document.body.hasAttribute('data-mark'))).toBe(true);
    expect(await trackedOn(page)).toEqual(['login started', 'login completed']);
    await page.reload();
    await accountLink(page, email).waitFor();
    expectQuiet();
    await close();
  });

  // The other providers are in login.long.test.ts.
  it('without JavaScript redirects to the provider and back', async () => {
    const { page, expectQuiet, close } = await visit({ javaScriptEnabled: false });
    await page.goto('/about/files?v=b');
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in / sign up' }).waitFor();
    const email = newEmail();
    await signInByRedirect(page, { provider: 'Facebook', email });
    await page.waitForURL(`${product.url}/about/files?v=b`);
    await accountLink(page, email).waitFor();
    expectQuiet();
    await close();
  });

  it('as a page returns to the address it was opened from, and to no other origin', async () => {
    for (const [returnTo, path, javaScriptEnabled] of [
      ['/about/files', '/about/files', true],
      ['//elsewhere.example/', '/', false],
      ['/logout', '/', false],
    ] as const) {
      const { page, expectQuiet, close } = await visit({ javaScriptEnabled });
      await page.goto(`/login?${new URLSearchParams({ returnTo })}`);
      if (javaScriptEnabled) await untilLive(page);
      await (javaScriptEnabled ? signInByPopup : signInByRedirect)(page);
      await accountLink(page).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      // A member is redirected at once.
      await page.goto(`/login?${new URLSearchParams({ returnTo })}`);
      expect(new URL(page.url()).pathname).toBe(path);
      expectQuiet();
      await close();
    }
  });

  it('redirects when the browser blocks popups', async () => {
    const { page, expectQuiet, close } = await visit();
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.goto('/about/files');
    await untilLive(page);
    await openLogin(page);
    await signInByRedirect(page);
    await page.waitForURL('**/about/files');
    await accountLink(page).waitFor();
    expectQuiet();
    await close();
  });

  it('on the result page keeps the result and revokes the guest', async () => {
    const { page, expectQuiet, close } = await visit();
    await enhancePicture(page);
    await untilLive(page);
    const result = page.url();
    const guest = await tokenIn(page.context(), 'guest');
    await openLogin(page);
    await signInByPopup(page);
    await accountLink(page).waitFor();
    expect(page.url()).toBe(result);
    await page.getByAltText('Your photo after').waitFor();
    const answer = await fetch(`${product.apiUrl}/api/v1/web/users/@me`, {
      headers: { authorization: `Bearer ${guest}` },
    });
    expect(answer.status).toBe(401);
    await page.reload();
    await page.getByAltText('Your photo after').waitFor();
    expectQuiet();
    await close();
  });

  it('during an upload keeps the upload', async () => {
    const { page, expectQuiet, close } = await visit();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/media/uploads/**', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/');
    await untilLive(page);
    const started = page.waitForRequest(/\/media\/uploads\//);
    await page.getByLabel('Choose a photo').setInputFiles(await smallPortrait());
    await started;
    await openLogin(page);
    await signInByPopup(page);
    await accountLink(page).waitFor();
    release();
    await page.waitForURL(/\/result\?taskId=/);
    await page.getByAltText('Your photo after').waitFor();
    expectQuiet();
    await close();
  });

  it('in two tabs at once succeeds in both', async () => {
    // The first login ends the guest's session, of which the other tab may be asking for the picture's state.
    const { page, expectQuiet, close } = await visit({ expectedStatus: 401 });
    const picture = await announcePicture(page);
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(picture);
      await untilLive(tab);
    }
    const email = newEmail();
    await Promise.all([openLogin(page), openLogin(other)]);
    await Promise.all([signInByPopup(page, { email }), signInByPopup(other, { email })]);
    for (const tab of [page, other]) {
      await accountLink(tab, email).waitFor();
      await tab.reload();
      await processingHeading(tab).waitFor();
      await accountLink(tab, email).waitFor();
    }
    expectQuiet();
    await close();
  });

  it('closes the popup whose opener was reloaded', async () => {
    const { page, expectQuiet, close } = await openLoginPage(browser(), product.url);
    const popup = await openProviderWindow(page);
    await page.reload();
    await untilLive(page);
    const closed = popup.waitForEvent('close');
    await answerSandbox(popup, {});
    await closed;
    expectQuiet();
    await close();
  });

  it('in one tab updates the other', async () => {
    const { page, expectQuiet, close } = await visit();
    await page.goto('/');
    await untilLive(page);
    const other = await page.context().newPage();
    await other.goto('/about/files');
    await untilLive(other);
    await openLogin(page);
    await signInByPopup(page);
    await accountLink(other).waitFor();
    expectQuiet();
    await close();
  });
});

describe('a session that has ended', () => {
  itWithAndWithoutJavaScript('leads to the login and back', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, close } = await visit({ javaScriptEnabled });
    const signIn = javaScriptEnabled ? signInByPopup : signInByRedirect;
    const email = newEmail();
    const picture = await announcePicture(page);
    const logIn = async () => {
      await page.getByRole('heading', { level: 1, name: 'Log in / sign up' }).waitFor();
      if (javaScriptEnabled) await untilLive(page);
      await signIn(page, { email });
      await accountLink(page, email).waitFor();
      await processingHeading(page).waitFor();
      expect(page.url()).toBe(`${product.url}${picture}`);
    };
    await page.goto(`/login?${new URLSearchParams({ returnTo: picture })}`);
    await logIn();
    await endSession(page);
    await page.goto(picture);
    await logIn();
    await close();
  });

  it('ends with a logout, which starts a new guest', async () => {
    const { page, expectQuiet, close } = await visit({ javaScriptEnabled: false });
    await page.goto('/login');
    await signInByRedirect(page);
    await accountLink(page).waitFor();
    const token = await tokenIn(page.context(), 'member');
    await page.goto('/account/general');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await tokenIn(page.context(), 'member')).toBeNull();
    const answer = await fetch(`${product.apiUrl}/api/v1/web/users/@me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
    expectQuiet();
    await close();
  });
});
