import { describe, expect } from 'vitest';
import { openPage, useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { answer, enhancePicture, mailTo, payWith } from '../../../support/payments/checkout.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { newEmail } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

describe('receipts of guests', () => {
  itWithAndWithoutJavaScript(
    'a guest who leaves an email gets a receipt whose link opens the paid picture in another browser',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const email = newEmail();
      // The refused form answers 422, which Chromium reports.
      const options = { javaScriptEnabled, expectedStatus: 422 };
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, options);
      await enhancePicture(page);
      await page.getByRole('link', { name: text('result:pay', { price: '$4.99' }) }).click();
      const field = page.getByLabel('Email (optional)');
      await field.fill('nowhere@');
      await page.getByRole('button', { name: 'Pay $' }).click();
      await page.getByText('Please enter a valid email address').waitFor();
      await expect.poll(() => field.inputValue()).toBe('nowhere@');
      await field.fill(email);
      await page.getByRole('button', { name: 'Pay $' }).click();
      await answer(page, 'cancel');
      await page.getByRole('status').getByText(text('tiers:checkout.canceled')).waitFor();
      await expect.poll(() => field.inputValue()).toBe(email);
      await page.getByRole('button', { name: 'Pay $' }).click();
      await payWith(page, 'good');
      await page.waitForURL('**/result?*');
      await page.getByText(text('account:welcome.receipt', { email })).waitFor();
      const { text: body } = await mailTo(page, product.url, email, /receipt and photo/);
      expectNoErrors();
      await close();

      const [link = 'no link'] = body.match(/http\S+\/photo\?\S+/) ?? [];
      const elsewhere = await openPage(browser(), product.url, { javaScriptEnabled });
      await elsewhere.page.goto(link);
      await elsewhere.page.getByRole('heading', { level: 1 }).waitFor();
      const address = await elsewhere.page.getByRole('link', { name: 'Download', exact: true }).getAttribute('href');
      const file = await elsewhere.page.request.get(new URL(address ?? '', product.url).href);
      expect(file.status()).toBe(200);
      expect(file.headers()['content-type']).toBe('image/jpeg');
      expect(file.headers()['content-disposition']).toMatch(/^attachment/);
      elsewhere.expectNoErrors();
      await elsewhere.close();
    },
  );
});
