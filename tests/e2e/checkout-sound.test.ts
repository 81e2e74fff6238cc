import { describe, it } from 'vitest';
import { openPage, useBrowser } from '../support/browser.ts';
import { choosePlan, payWith } from '../support/paying.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { newEmail, untilLive } from '../support/sign-in.ts';
import { signIn } from '../support/signed-in.ts';
import { expectSound, LOOKS } from '../support/sound.ts';

const product = sharedProduct();
const browser = useBrowser();

describe('the pages of money', () => {
  it.each(LOOKS)('are sound in $locale, $colorScheme', async (look) => {
    const email = newEmail();
    const english = await openPage(browser(), product.url);
    await signIn(english.page, product.url, email);
    await choosePlan(english.page, 'Personal');
    await english.page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(english.page, 'good');
    await english.page.waitForURL('**/account/subscription');
    await english.page.goto('/upgrade?period=monthly');
    const upgrade = await english.page.getByRole('link', { name: 'Upgrade to Business' }).getAttribute('href');
    const buy = await english.page.getByRole('link', { name: 'Buy: 3 downloads' }).getAttribute('href');
    await english.close();

    const { page, expectQuiet, close } = await openPage(browser(), product.url, {
      ...look,
      reducedMotion: 'reduce',
    });
    await signIn(page, product.url, email);
    for (const address of [
      '/upgrade?period=yearly',
      String(upgrade),
      `${buy}&problem=payments.declined`,
      '/account/subscription',
      '/account/subscription/cancel',
      '/account/limits',
      '/subscription/cancel',
      '/unavailable',
    ]) {
      await page.goto(address);
      await untilLive(page);
      await expectSound(page, [768, 1440, 390]);
    }
    expectQuiet();
    await close();
  });
});
