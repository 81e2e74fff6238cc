import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, Customer, faultsOf, resultOf, routePath } from '../../test/support/billing/customer.js';
import { storedMail } from '../../test/support/mail.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { lockUsers } from '../platform/database/statements.js';
import { SubscriptionCodesService } from './subscription-codes.service.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('a code by mail', () => {
  const ask = (email: string, purpose: string) =>
    api.http.post(routePath('/subscription-codes')).send({ email, purpose });
  const codesTo = async (email: string): Promise<string[]> => {
    await api.app.get(SubscriptionCodesService).idle();
    const messages = await storedMail(api, email);
    return messages.flatMap(({ body }) => /Your code: ([\w-]{22})\b/.exec(body)?.[1] ?? []);
  };
  const cancel = (code: string, provider = 'stripe') =>
    api.http.delete(routePath(`/${provider}/subscriptions/email`)).send({ cancellation_code: code });
  const openPortal = (code: string, customerId?: string) =>
    api.http.post(routePath('/stripe/portals-migration')).send({ cancellation_code: code, customer_id: customerId });
  const subscriber = async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    await member.subscribe();
    return { email, member };
  };

  it('is sent to every address that the form accepts', async () => {
    for (const email of ['.ada..lovelace@example.photography', ' ada@example.com ', `${'a'.repeat(60)}@example.com`])
      await ask(email, 'cancel').expect(202);
    const { body } = await ask('ada@example', 'cancel').expect(422);
    expect(body.details).toEqual({ email: 'Please enter a valid email address' });
  });

  it('cancels a subscription once, without login', async () => {
    const { email, member } = await subscriber();
    await ask(email.toUpperCase(), 'cancel').expect(202);
    const [code = ''] = await codesTo(email);
    expect(resultOf(await cancel(code, 'paypal'))).toEqual([403, 'billing.code_invalid']);
    const { body } = await cancel(code).expect(200);
    expect(body).toMatchObject({ status: 'active', has_been_canceled: true, portal_session_url: null });
    expect(resultOf(await cancel(code))).toEqual([403, 'billing.code_invalid']);
    expect((await member.visitor.get('/stripe/subscriptions')).body.has_been_canceled).toBe(true);
  });

  it('is stored as a hash, and valid for one purpose', async () => {
    const { email } = await subscriber();
    await ask(email, 'cancel').expect(202);
    const [code = ''] = await codesTo(email);
    expect(JSON.stringify(await api.sql('SELECT * FROM subscription_codes'))).not.toContain(code);
    expect(resultOf(await openPortal(code))).toEqual([403, 'billing.code_invalid']);
    await cancel(code).expect(200);
  });

  it('opens the portal of its customer', async () => {
    const { email, member } = await subscriber();
    await ask(email, 'portal').expect(202);
    const [code = ''] = await codesTo(email);
    expect(resultOf(await cancel(code))).toEqual([403, 'billing.code_invalid']);
    expect(resultOf(await openPortal(code, 'sbx_cus_other'))).toEqual([403, 'billing.code_invalid']);
    const sql = 'SELECT customer_id FROM billing_customers WHERE user_id = $1';
    const [row] = await api.sql<{ customer_id: string }>(sql, [await member.userId()]);
    const { body } = await openPortal(code, row?.customer_id).expect(200);
    expect(body.portal_session_url).toContain(api.providers.pagesUrl);
    expect((await fetch(body.portal_session_url)).status).toBe(200);
    expect(resultOf(await openPortal(code))).toEqual([403, 'billing.code_invalid']);
  });

  it("is not sent for the wallet, whose mail links to the wallet's own page", async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    const subscription_id = await member.walletSubscription('personal_weekly_usd');
    await member.visitor.post('/paypal/subscriptions', { subscription_id }).expect(201);
    const responses = await Promise.all(
      [email, email, newEmail()].map((address) => ask(address, 'portal').expect(202)),
    );
    expect(responses.map(({ text }) => text)).toEqual(['', '', '']);
    expect(await codesTo(email)).toEqual([]);
    const mails = await api.sql<{ body: string }>(
      `SELECT body FROM mail_messages WHERE recipient = $1 AND kind = 'walletPortal'`,
      [email],
    );
    expect(mails).toHaveLength(1);
    const [walletUrl, cancelUrl] = mails[0]?.body.match(/http\S+/g) ?? [];
    expect(cancelUrl).toMatch(/\/subscription\/cancel$/);
    const page = await fetch(walletUrl ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Automatic payments');
  });

  it('expires after an hour', async () => {
    const { email } = await subscriber();
    await ask(email, 'cancel').expect(202);
    const [code = ''] = await codesTo(email);
    await advance(api, { hours: 1 });
    expect(resultOf(await cancel(code))).toEqual([403, 'billing.code_invalid']);
  });

  it('gets the same response for every address, and does not flood a mailbox', async () => {
    const { email } = await subscriber();
    await Promise.all(
      [newEmail(), email, email, email, email, email].map(async (address) =>
        expect((await ask(address, 'cancel').expect(202)).text).toBe(''),
      ),
    );
    expect(await codesTo(email)).toHaveLength(3);
    expect(resultOf(await ask('not-an-address', 'cancel'))).toEqual([422, 'request.invalid']);
    expect(resultOf(await ask(email, 'everything'))).toEqual([422, 'request.invalid']);
  });

  it('is sent in the background, so that timing reveals nothing', async () => {
    const { email, member } = await subscriber();
    const userId = await member.userId();
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const holding = api.app.get(DataSource).transaction(async (manager) => {
      await lockUsers(manager, userId);
      held();
      await isDone;
    });
    await isHeld;
    await ask(email, 'cancel').expect(202);
    done();
    await holding;
    expect(await codesTo(email)).toHaveLength(1);
  });

  it('is not sent to an unverified address', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email, scenario: 'unverified_email' });
    await member.subscribe();
    await ask(email, 'cancel').expect(202);
    expect(await codesTo(email)).toEqual([]);
  });

  it('cannot be guessed, and is not sent for the mobile app', async () => {
    expect(resultOf(await cancel(randomBytes(16).toString('base64url')))).toEqual([403, 'billing.code_invalid']);
    expect(resultOf(await cancel('x', 'mobile'))).toEqual([409, 'subscriptions.managed_elsewhere']);
    expect(resultOf(await cancel(''))).toEqual([422, 'request.invalid']);
  });

  it("holds no transaction during the provider's call; one of two concurrent uses succeeds", async () => {
    const { email } = await subscriber();
    await ask(email, 'portal').expect(202);
    const [code = ''] = await codesTo(email);
    // Another request may be that of an event.
    const { reached, release } = faultsOf(api).holdNextResponse('POST /v1/billing_portal/sessions');
    const slow = openPortal(code).then((response) => response);
    await reached;
    const open = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
      AND query LIKE '%subscription%'`;
    // Other work may be between two statements at any moment; the call's transaction would stay open until the release.
    await until(async () => (await api.sql(open)).length === 0, 'no open transaction');
    await openPortal(code).expect(200);
    release();
    expect(resultOf(await slow)).toEqual([403, 'billing.code_invalid']);
  });

  it('stays valid when the provider fails', async () => {
    const { email } = await subscriber();
    await ask(email, 'cancel').expect(202);
    const [code = ''] = await codesTo(email);
    faultsOf(api).disconnect();
    expect(resultOf(await cancel(code))).toEqual([503, 'service.unavailable']);
    faultsOf(api).reconnect();
    await cancel(code).expect(200);
  });
});
