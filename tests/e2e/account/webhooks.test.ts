import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as bodyOf } from 'node:stream/consumers';
import { webhookRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const PAGE = '/account/webhooks';

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Message[] = [];
const server = createServer(async (request, reply) => {
  received.push({ headers: request.headers, body: await bodyOf(request) });
  reply.end('thanks');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Whether the secret has signed it, by the Standard Webhooks scheme. */
function isSignedBy(secret: string, { headers, body }: Message): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(`v1,${mac.update(content).digest('base64')}`);
}

const button = (page: Page, id: string) => page.getByRole('main').getByRole('button', { name: text(id), exact: true });
const secretField = (page: Page, url: string) => page.getByLabel(text('webhooks:secret.of', { url }));

describe('the webhooks of an account', () => {
  itWithAndWithoutJavaScript(
    'are added, tested, changed, switched off and deleted',
    { short: 'without' },
    async (javaScriptEnabled) => {
      received.splice(0);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const ready = () => (javaScriptEnabled ? untilHydrated(page) : Promise.resolve());
      await subscribe(account, 'business');
      await page.goto('/account/plugin-key?v=b');
      await ready();
      await page
        .getByRole('main')
        .getByRole('link', { name: text('account:pluginKey.webhooks') })
        .click();
      await page.waitForURL(`**${PAGE}?v=b`);
      await page.getByText(text('webhooks:none')).waitFor();

      await page.getByLabel(text('webhooks:url.label')).fill(` ${url} `);
      await page.getByRole('checkbox', { name: 'batch.completed' }).uncheck();
      await button(page, 'webhooks:add.submit').click();
      const secret = await secretField(page, url).inputValue();
      expect(secret).toMatch(/^whsec_/);
      const [endpoint] = (await account.call(webhookRoutes.listWebhookEndpoints, {})).data;
      expect(endpoint?.events).not.toContain('batch.completed');
      expect(endpoint?.events).toHaveLength(5);

      // Shown once: a reload sends the form again without JavaScript, which adds no other.
      await page.reload();
      await ready();
      expect((await account.call(webhookRoutes.listWebhookEndpoints, {})).data).toHaveLength(1);
      await page.goto(`${PAGE}?v=b`);
      await ready();
      expect(await page.content()).not.toContain(secret);

      await page.getByRole('main').getByRole('link', { name: url }).click();
      await page.waitForURL(`**${PAGE}/${endpoint?.id}?v=b`);
      await button(page, 'webhooks:endpoint.test').click();
      await page.waitForURL(`**${PAGE}/${endpoint?.id}?v=b#deliveries`);
      const [message] = await until('the test arrives', async () => received.length > 0 && received);
      if (!message) throw new Error('nothing arrived');
      expect(JSON.parse(message.body)).toMatchObject({ type: 'endpoint.test' });
      expect(isSignedBy(secret, message)).toBe(true);
      const delivered = page.getByRole('listitem').filter({ hasText: text('webhooks:deliveries.status.delivered') });
      // The page reads it by itself with JavaScript only.
      if (javaScriptEnabled) await delivered.first().waitFor();
      else
        await until('it is recorded', async () => {
          await page.reload();
          return (await delivered.count()) > 0;
        });
      await ready();
      await delivered.first().locator('summary').click();
      await delivered.getByText('HTTP 200').waitFor();
      await delivered.getByText('thanks').waitFor();
      await delivered.getByRole('button', { name: text('webhooks:deliveries.resend') }).click();
      await until('it is sent again', async () => received.length === 2);
      expect(received[1]?.headers['webhook-id']).toBe(message.headers['webhook-id']);

      await button(page, 'webhooks:secret.roll').click();
      const next = await secretField(page, url).inputValue();
      expect(next).not.toBe(secret);
      await page
        .getByText(text('webhooks:secret.overlap').split('{')[0] ?? '')
        .first()
        .waitFor();
      await button(page, 'webhooks:endpoint.test').click();
      const third = await until('both sign', async () => received[2]);
      for (const each of [secret, next]) expect(isSignedBy(each, third)).toBe(true);

      await page.getByRole('checkbox', { name: 'batch.completed' }).check();
      await button(page, 'webhooks:endpoint.save').click();
      await until('it is saved', async () => {
        const { data } = await account.call(webhookRoutes.listWebhookEndpoints, {});
        return data[0]?.events.length === 6;
      });
      await button(page, 'webhooks:endpoint.turnOff').click();
      await button(page, 'webhooks:endpoint.turnOn').waitFor();
      await expect.poll(() => button(page, 'webhooks:endpoint.test').count()).toBe(0);
      await page.getByText(text('webhooks:endpoint.delete')).click();
      await button(page, 'webhooks:endpoint.deleteConfirm').click();
      await page.waitForURL(`**${PAGE}?v=b`);
      await page.getByText(text('webhooks:none')).waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'say at the field why an address is refused',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await subscribe(account, 'business');
      await page.goto(PAGE);
      if (javaScriptEnabled) await page.locator('form[data-validated]').waitFor();
      const field = page.getByLabel(text('webhooks:url.label'));
      const submit = button(page, 'webhooks:add.submit');
      await field.fill('https://10.0.0.8/hooks');
      await page.getByRole('checkbox', { name: 'video.failed' }).uncheck();
      await submit.click();
      await page.getByRole('alert').getByText(text('common:errors.uploads.address_refused')).waitFor();
      await expect.poll(() => field.inputValue()).toBe('https://10.0.0.8/hooks');
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => page.getByRole('checkbox', { name: 'video.failed' }).isChecked()).toBe(false);
      await field.fill('https://hooks.example/');
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
      await submit.click();
      await page.getByRole('alert').getByText(text('webhooks:events.none')).waitFor();
      expect((await account.call(webhookRoutes.listWebhookEndpoints, {})).data).toEqual([]);
      await close();
    },
  );

  it('create the secret of callbacks', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await subscribe(account, 'business');
    await page.goto(PAGE);
    await button(page, 'webhooks:callbacks.create').click();
    const field = page.getByLabel(text('webhooks:callbacks.new'));
    const first = await field.inputValue();
    await button(page, 'webhooks:secret.roll').click();
    await expect.poll(() => field.inputValue()).not.toBe(first);
    await expect.poll(() => field.inputValue()).toMatch(/^whsec_/);
    expectNoErrors();
    await close();
  });

  it('are refused to other plans, guests and accounts', async () => {
    const { page, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
      expectedStatus: 404,
    });
    await page.goto(PAGE);
    await page.getByText(text('common:errors.webhook_endpoints.not_in_plan')).waitFor();
    await expect.poll(() => button(page, 'webhooks:add.submit').count()).toBe(0);
    const form = {
      change: 'save',
      url: 'https://hooks.example/',
      events: 'task.failed',
      requestId: crypto.randomUUID(),
    };
    const refused = await page.request.post(`${product.url}${PAGE}`, { form });
    expect(refused.status()).toBe(403);
    expect((await page.goto(`${PAGE}/${crypto.randomUUID()}`))?.status()).toBe(404);
    await page.goto(PAGE);
    await page
      .getByRole('main')
      .getByRole('link', { name: text('account:subscription.seePlans') })
      .click();
    await page.waitForURL('**/upgrade');
    await page.context().clearCookies();
    await page.goto(PAGE);
    await page.waitForURL('**/login?*');
    await close();
  });
});
