import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { untilToast } from '../../support/browser/brief.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { newEmail, untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Gives tokens that the sandbox rejects. */
const FAILING_CAPTCHA = "window.grecaptcha = { ready: (listener) => listener(), execute: async () => 'fail' };";

/** The ticket on the sandbox's page, once it was delivered. */
const ticketText = (page: Page, marker: string) =>
  until('the ticket', async () => {
    const answer = await page.request.get(`${product.url}/api/sandbox/pages/tickets`);
    const html = await answer.text();
    const [, id] = new RegExp(`\\?ticket=(\\d+)"[^>]*>\\s*<strong[^>]*>${marker}`).exec(html) ?? [];
    if (id === undefined) return null;
    return (await page.request.get(`${product.url}/api/sandbox/pages/tickets?ticket=${id}`)).text();
  });

itWithAndWithoutJavaScript(
  'a request to support is sent, and the home page says so',
  { short: 'with' },
  async (javaScriptEnabled) => {
    const { page, email, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled,
    });
    const subject = `Blurred ${email}`;
    await page.goto(`/help/contact?v=b&source=${'x'.repeat(60)}&event=event-1`);
    if (javaScriptEnabled) await untilHydrated(page);
    await expect.poll(() => page.getByLabel(text('support:contact.email'), { exact: true }).inputValue()).toBe(email);
    await page.getByLabel(text('support:contact.name')).fill('Ada <b>Lovelace</b>');
    await page.getByLabel(text('support:contact.subject')).fill(subject);
    await page.getByLabel(text('support:contact.body'), { exact: true }).fill('First line\nsecond line');
    const sentWith = page.getByRole('region', { name: text('support:contact.summary.title') });
    const accountId = (await account.me()).webUserId;
    for (const known of [accountId, text('account:subscription.plans.free'), 'event-1', 'Chrome'])
      await sentWith.getByText(known).waitFor();
    const send = () =>
      Promise.all([
        page.getByRole('button', { name: text('support:contact.send') }).click(),
        page.waitForURL('**/?v=b'),
      ]);
    if (javaScriptEnabled) await untilToast(page, text('support:contact.sent'), send);
    else {
      await send();
      await page.getByText(text('support:contact.sent')).waitFor();
    }
    const ticket = await ticketText(page, subject);
    expect(ticket).toContain('Ada &lt;b&gt;Lovelace&lt;/b&gt;');
    expect(ticket).toContain(`First line\nsecond line\n\n--\nSource: ${'x'.repeat(50)}\nDevice: desktop`);
    expect(ticket).toMatch(/Browser: Chrome|Browser: Headless/);
    expect(ticket).toContain('Event: event-1');
    expect(ticket).toContain(`User: ${accountId} (base)`);
    expectNoErrors();
    await close();
  },
);

itWithAndWithoutJavaScript(
  'a refused request keeps what was written and says how to reach support',
  { short: 'neither' },
  async (javaScriptEnabled) => {
    const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled, expectedStatus: 403 });
    await page.route('**/api/sandbox/scripts/recaptcha.js*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: FAILING_CAPTCHA }),
    );
    await page.goto('/help/contact');
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByLabel(text('support:contact.name')).fill('Ada');
    await page.getByLabel(text('support:contact.email'), { exact: true }).fill(newEmail());
    await page.getByLabel(text('support:contact.subject')).fill('Hello');
    await page.getByLabel(text('support:contact.body'), { exact: true }).fill('Some words');
    // Set by the script, with JavaScript.
    await page.locator('input[name=captchaToken]').evaluate((input: HTMLInputElement) => {
      input.value = 'fail';
    });
    const message = text('support:contact.failed', { email: 'support@clearframe.example' });
    await Promise.all([
      page.getByText(message).filter({ visible: true }).first().waitFor(),
      page.getByRole('button', { name: text('support:contact.send') }).click(),
    ]);
    await expect
      .poll(() => page.getByLabel(text('support:contact.body'), { exact: true }).inputValue())
      .toBe('Some words');
    await close();
  },
);

itInLongRun('a call is requested by the same form', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  const email = newEmail();
  await page.goto('/help');
  await page.getByRole('link', { name: text('support:call.title') }).click();
  await page.waitForURL('**/help/book-a-call');
  await page.getByLabel(text('support:contact.name')).fill('Ada');
  await page.getByLabel(text('support:contact.email'), { exact: true }).fill(email);
  await page.getByLabel(text('support:call.time')).fill('Monday, 10:00 CET');
  await page.getByRole('button', { name: text('support:contact.send') }).click();
  await page.getByText(text('support:contact.sent')).waitFor();
  const ticket = await until('the ticket', async () => {
    const answer = await page.request.get(`${product.url}/api/sandbox/pages/tickets`);
    const html = await answer.text();
    const [, id] =
      new RegExp(`\\?ticket=(\\d+)"[^>]*>\\s*<strong[^>]*>Book a call</strong>\\s*<[^>]*><bdi>${email}`).exec(html) ??
      [];
    return id === undefined
      ? null
      : (await page.request.get(`${product.url}/api/sandbox/pages/tickets?ticket=${id}`)).text();
  });
  expect(ticket).toContain('Preferred time: Monday, 10:00 CET');
  expectNoErrors();
  await close();
});

itWithAndWithoutJavaScript('an address opens its answer', { short: 'neither' }, async (javaScriptEnabled) => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
  await page.goto('/help#refunds');
  await page.locator('details[open] #refunds').waitFor();
  await page.locator('#refunds').getByRole('link').click();
  await page.waitForURL('**/help/contact?source=help');
  await page.getByRole('heading', { level: 1, name: text('common:contactUs') }).waitFor();
  expectNoErrors();
  await close();
});

it('pages for search engines have one description, and the terms link the document for businesses', async () => {
  for (const path of ['/', '/help', '/terms', '/privacy-and-cookie-policy', '/developers', '/pricing']) {
    const html = await (await fetch(new URL(path, product.url))).text();
    expect(html.match(/<meta name="description"/g), path).toHaveLength(1);
    expect(html.match(/<meta property="og:description"/g), path).toHaveLength(1);
  }
  const terms = await (await fetch(new URL('/terms', product.url))).text();
  const [, address = ''] = /href="(\/docs\/[^"]+)"/.exec(terms) ?? [];
  expect(address).toBe('/docs/business-additional-terms.pdf');
  const response = await fetch(new URL(address, product.url));
  expect(response.headers.get('content-type')).toBe('application/pdf');
  // `pnpm business-terms` makes it again when the terms change.
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toContain(
    `/Title (Clearframe, terms for businesses. ${text('onboarding:policies.changed')})`,
  );
});
