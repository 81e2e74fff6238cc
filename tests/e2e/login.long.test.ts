import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';
import {
  accountLink,
  newEmail,
  openLogin,
  openLoginPage,
  signInByPopup,
  trackedOn,
  untilLive,
} from '../support/sign-in.ts';

const product = sharedProduct();
const browser = useBrowser();

describe('logging in over the page', () => {
  it.each(['Facebook', 'Google', 'Apple'] as const)('with %s', async (provider) => {
    const { page, expectQuiet, close } = await openPage(browser(), product.url);
    await page.goto('/?v=b');
    await untilLive(page);
    await openLogin(page);
    const email = newEmail();
    await signInByPopup(page, { provider, email });
    await accountLink(page, email).waitFor();
    expect(page.url()).toBe(`${product.url}/?v=b`);
    expectQuiet();
    await close();
  });
});

describe('a login that fails', () => {
  it('at the provider says so beside the buttons, and can be tried again', async () => {
    const { page, expectQuiet, close } = await openLoginPage(browser(), product.url);
    for (const [scenario, words] of [
      ['network', "can't be reached"],
      ['too_many_requests', 'tried too often'],
      ['user_disabled', 'switched off'],
      ['unforeseen', 'Signing in did not work'],
    ] as const) {
      await signInByPopup(page, { scenario });
      await page.getByRole('dialog').getByRole('alert').getByText(words).waitFor();
      expect(await accountLink(page).count()).toBe(0);
    }
    expectQuiet();
    await close();
  });

  it('at the backend says so beside the buttons, and can be tried again', async () => {
    const { page, expectQuiet, close } = await openLoginPage(browser(), product.url, { expectedStatus: 401 });
    const expected: string[] = [];
    for (const scenario of [
      ...['expired', 'other_key', 'other_audience', 'other_issuer', 'unsigned', 'anonymous', 'disabled'],
    ]) {
      await signInByPopup(page, { scenario });
      expected.push('login started', 'login failed users.identity_rejected');
      await expect.poll(() => trackedOn(page)).toEqual(expected);
      await page.getByRole('dialog').getByRole('alert').getByText('Signing in did not work').waitFor();
      expect(await accountLink(page).count()).toBe(0);
    }
    expectQuiet();
    await close();
  });
});
