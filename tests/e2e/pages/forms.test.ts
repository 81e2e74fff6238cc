import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, untilInView, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript, sampleOf } from '../../support/browser/javascript.ts';
import { isFormPost } from '../../support/browser/network.ts';
import { idOf } from '../../support/payments/buyers.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** A field at the end of a small screen would hide its error below it. */
const SMALL_PHONE = { width: 360, height: 640 } as const;

const EMAIL = { wrong: 'nowhere@', right: 'unknown@example.com' };

interface Form {
  readonly address: string;
  readonly label: string;
  readonly wrong: string;
  readonly right: string;
  readonly button: string;
  readonly error: string;
  /** Shown below the field in any case. */
  readonly hint: string;
  /** Valid input of other fields, by label. */
  readonly others?: Readonly<Record<string, string>>;
}

const MAIL: Form = {
  address: '/subscription/cancel',
  label: text('account:byMail.email'),
  ...EMAIL,
  button: text('account:byMail.send'),
  error: text('tiers:checkout.receipt.invalid'),
  hint: '',
};
const CHECKOUT: Form = {
  address: `/checkout?${new URLSearchParams({ priceId: idOf('single_export_usd'), taskId: randomUUID() })}`,
  label: text('tiers:checkout.receipt.label'),
  ...EMAIL,
  button: 'Pay $4.99',
  error: text('tiers:checkout.receipt.invalid'),
  hint: text('tiers:checkout.receipt.hint'),
};
const SANDBOX: Form = {
  address: '/sandbox/identity?provider=google',
  label: 'Email',
  ...EMAIL,
  button: 'Continue',
  error: 'Please enter a valid email address.',
  hint: '',
};

const SURVEY: Form = {
  address: '/pricing/contact',
  label: text('tiers:contact.purpose'),
  wrong: 'x'.repeat(2001),
  // 18,000 bytes in a URL-encoded form.
  right: 'ภ'.repeat(2000),
  button: text('support:contact.send'),
  error: 'Use at most 2,000 characters.',
  hint: '',
  others: { [text('support:contact.name')]: 'Ada', [text('support:contact.email')]: 'ada@example.com' },
};

/** Sends wrong input. With JavaScript the page answers, once its schema is loaded; without, the action does. */
async function refuse(form: Form, javaScriptEnabled: boolean) {
  // Chromium reports the action's 422.
  const watched = await openPage(browser(), product.url, {
    javaScriptEnabled,
    viewport: SMALL_PHONE,
    ...(!javaScriptEnabled && { expectedStatus: 422 }),
  });
  const { page } = watched;
  await page.goto(form.address);
  if (javaScriptEnabled) await page.locator('form[data-validated]').first().waitFor();
  await page.getByLabel(form.label).fill(form.wrong);
  for (const [label, words] of Object.entries(form.others ?? {}))
    await page.getByLabel(label, { exact: true }).fill(words);
  await page.getByRole('button', { name: form.button, exact: true }).click();
  await page.getByRole('alert').waitFor();
  // Without JavaScript the browser focuses by `autofocus`, some time after the page is shown.
  await page.locator('[aria-invalid=true]:focus').waitFor();
  await untilInView(page.getByRole('alert'));
  await expect
    .poll(() => stateOf(page, form))
    .toEqual({
      value: form.wrong,
      isInvalid: 'true',
      description: [form.error, form.hint].filter(Boolean),
      alerts: [form.error],
    });
  return watched;
}

/** What a field shows and reports to screen readers. */
async function stateOf(page: Page, { label }: Form) {
  const field = page.getByLabel(label);
  const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  return {
    value: await field.inputValue(),
    isInvalid: await field.getAttribute('aria-invalid'),
    description: await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent())),
    alerts: await page.getByRole('alert').allTextContents(),
  };
}

/** Continues from the refused form, with JavaScript. */
type Next = (page: Page) => Promise<void>;

const sendTwice: Next = async (page) => {
  const posts: string[] = [];
  page.on('request', (request) => {
    if (isFormPost(request)) posts.push(new URL(request.url()).pathname);
  });
  await page.getByRole('button', { name: MAIL.button }).dblclick();
  await page.getByRole('button', { name: text('account:byMail.again') }).waitFor();
  expect(posts).toEqual(['/subscription/cancel.data']);
};

const leaveAndReturn: Next = async (page) => {
  await page.getByRole('link', { name: text('tiers:checkout.back') }).click();
  await page.getByRole('heading', { level: 1, name: text('tiers:paywall.photo') }).waitFor();
  await page.goBack();
  const field = page.getByLabel(CHECKOUT.label);
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe(EMAIL.right);
};

const cancel: Next = async (page) => {
  await page.getByLabel(SANDBOX.label).fill(SANDBOX.wrong);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: text('onboarding:login.title') }).waitFor();
};

const write: Next = async (page) => {
  await page.getByRole('button', { name: SURVEY.button }).click();
  await page.getByRole('heading', { name: text('tiers:contact.sent') }).waitFor();
};

it.each(
  sampleOf(
    [
      ['the code by mail', 'a double click sends it once', MAIL, sendTwice],
      ['the checkout', 'going back shows what was entered', CHECKOUT, leaveAndReturn],
      ['the contact survey', 'the longest answer is accepted', SURVEY, write],
      ['the sandbox login', 'cancelling needs no valid input', SANDBOX, cancel],
    ] as const,
    2,
  ),
)('%s refuses wrong input in the same words with and without JavaScript, and %s', async (_name, _what, form, next) => {
  const without = await refuse(form, false);
  without.expectNoErrors();
  await without.close();

  const { page, expectNoErrors, close } = await refuse(form, true);
  await page.getByLabel(form.label).fill(form.right);
  await expect
    .poll(() => stateOf(page, form))
    .toMatchObject({
      isInvalid: null,
      description: [form.hint].filter(Boolean),
      alerts: [],
    });
  await next(page);
  expectNoErrors();
  await close();
});

itWithAndWithoutJavaScript('going back shows what was entered', { short: 'without' }, async (javaScriptEnabled) => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
  await page.goto(CHECKOUT.address);
  if (javaScriptEnabled) await untilHydrated(page);
  await page.getByLabel(CHECKOUT.label).fill(EMAIL.right);
  await leaveAndReturn(page);
  await page.goto(MAIL.address);
  if (javaScriptEnabled) await untilHydrated(page);
  const field = page.getByLabel(MAIL.label);
  await field.fill(EMAIL.right);
  await page.getByRole('link', { name: 'Clearframe' }).first().click();
  await page.getByRole('heading', { level: 1, name: text('home:headline') }).waitFor();
  await page.goBack();
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe(EMAIL.right);
  expectNoErrors();
  await close();
});
