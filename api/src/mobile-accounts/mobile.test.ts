import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer } from '../../test/support/billing/customer.js';
import { storedMail } from '../../test/support/mail.js';
import { until } from '../../test/support/until.js';
import { newEmail, type Visitor } from '../../test/support/visitor.js';
import { SubscriptionCodesService } from '../subscriptions/subscription-codes.service.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

async function subscribedInApp(email: string): Promise<string> {
  const { body } = await api.http.post('/api/sandbox/mobile/subscriptions').send({ email }).expect(201);
  return body.oracle_backend_id;
}
const link = (visitor: Visitor, id: unknown) => visitor.post('/link-mobile', { oracle_backend_id: id });

describe('linking the mobile app', () => {
  it('case 24: grants business with yearly limits, managed by the app', async () => {
    const email = newEmail();
    const member = await api.member({ email });
    const id = await subscribedInApp(email);
    const { body } = await link(member, id).expect(200);
    expect(body).toMatchObject({
      mobile_oracle_backend_id: id,
      monetization: { is_subscribed: true, subscription_provider: 'mobile' },
      limits: { exports: null },
    });
    for (const provider of ['mobile', 'stripe', 'paypal']) {
      const { body: refusal } = await member.delete(`/${provider}/subscriptions`).expect(409);
      expect(refusal.error_code).toBe('subscriptions.managed_elsewhere');
    }
    const { body: limits } = await member.get('/users/@me/video-limits').expect(200);
    expect(limits).toMatchObject({
      max_size_mb: 120,
      max_length: 120,
      max_period_size_mb: 480,
      max_period_length: 480,
    });
    await link(member, id).expect(200);
  });

  it('keeps a subscription by card readable and cancellable, which is still charged', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    const subscription_id = await member.subscribe();
    await link(member.visitor, await subscribedInApp(email)).expect(200);
    const { body } = await member.visitor.get('/stripe/subscriptions').expect(200);
    expect(body).toMatchObject({ subscription_id, has_been_canceled: false });
    await api.http.post('/api/v1/web/subscription-codes').send({ email, purpose: 'cancel' }).expect(202);
    await api.app.get(SubscriptionCodesService).idle();
    const messages = await storedMail(api, email);
    expect(messages.filter(({ body }) => body.includes('code:'))).toHaveLength(1);
    expect((await member.visitor.delete('/stripe/subscriptions').expect(200)).body.has_been_canceled).toBe(true);
    await member.visitor.post('/stripe/subscriptions/restart').expect(200);
    await member.visitor.get('/paypal/subscriptions').expect(409);
    await member.visitor.get('/stripe/subscriptions/upgrade/preview').expect(409);
  });

  it('requires the same verified address', async () => {
    const id = await subscribedInApp(newEmail());
    const { body } = await link(await api.member(), id).expect(404);
    expect(body.error_code).toBe('mobile.not_found');
    const email = newEmail();
    const unverified = await api.member({ email, scenario: 'unverified_email' });
    await link(unverified, await subscribedInApp(email)).expect(404);
  });

  it('is refused while another account links it', async () => {
    const email = newEmail();
    const [member, other] = [await api.member({ email }), await api.member()];
    const id = await subscribedInApp(email);
    const pool = new Pool({ connectionString: api.environment.DATABASE_URL });
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO subscriptions (id, user_id, provider, provider_id, price_id, asks_trial, status, cancel_at_period_end,
         has_intro, paid_cents, currency, is_disputed, forfeit_credits, read_no, created_at)
       VALUES (gen_random_uuid(), $1, 'mobile', $2, 'mobile', false, 'active', false, false, 0, 'usd', false, 0, 0, now())`,
      [(await other.me()).web_user_id, id],
    );
    const linking = link(member, id).then(({ status, body }) => [status, body.error_code]);
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INTO "subscriptions"%'`;
    await until(async () => (await api.sql(waiting)).length > 0, 'the conflict');
    await client.query('COMMIT');
    client.release();
    await pool.end();
    expect(await linking).toEqual([409, 'mobile.already_linked']);
  });

  it.each([
    ['an unknown account', 'unknown', 404],
    ['nothing', '', 422],
    ['a number', 5, 422],
  ])('rejects %s', async (_what, id, status) => {
    await link(await api.member(), id).expect(status);
  });

  it('rejects guests and requests without a token', async () => {
    const { body } = await link(await api.guest(), 'x').expect(403);
    expect(body.error_code).toBe('billing.login_required');
    await api.http.post('/api/v1/web/link-mobile').send({ oracle_backend_id: 'x' }).expect(401);
  });
});
