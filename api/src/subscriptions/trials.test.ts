import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, CARDS, Customer } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import { StoredFingerprints } from '../billing-accounts/fingerprints.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const refusalOf = async (member: Customer, options: Record<string, unknown>) => {
  const { status, body } = await member.requestSubscription('personal_weekly_usd', { trial: true, ...options });
  return [status, body.error_code];
};
const memory = () => api.sql('SELECT user_id, fingerprint, fingerprint_hash FROM trial_uses ORDER BY created_at');

describe('a free trial', () => {
  it('is recorded by a keyed hash of the card, even after erasure', async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_weekly_usd', { trial: true, card: CARDS.sameFingerprint });
    const [card] = await api.sql(
      `SELECT body #>> '{card,fingerprint}' AS fingerprint FROM sandbox.objects WHERE type = 'payment_method'`,
    );
    const subscriptions = await api.sql('SELECT id FROM subscriptions');
    await member.visitor.delete('/users/@me').expect(204);
    const [kept] = await api.sql('SELECT * FROM trial_uses');
    expect(kept).toMatchObject({ user_id: null, fingerprint: null, fingerprint_hash: expect.any(String) });
    expect(kept?.fingerprint_hash).not.toBe(card?.fingerprint);
    expect(subscriptions.map(({ id }) => id)).not.toContain(kept?.subscription_id);
    const another = await Customer.member(api);
    const refused = [409, 'billing.trial_unavailable'];
    expect(await refusalOf(another, { card: CARDS.sameFingerprint })).toEqual(refused);
    // A plain fingerprint of an earlier version is hashed at the next start.
    await api.sql('UPDATE trial_uses SET fingerprint = $1, fingerprint_hash = NULL', [card?.fingerprint]);
    await api.app.get(StoredFingerprints).onModuleInit();
    expect(await memory()).toEqual([{ user_id: null, fingerprint: null, fingerprint_hash: kept?.fingerprint_hash }]);
    expect(await refusalOf(another, { card: CARDS.sameFingerprint })).toEqual(refused);
    expect((await another.requestSubscription('personal_weekly_usd', { trial: true })).body.status).toBe('trialing');
  });

  it('used by two earlier accounts with one card is hashed once', async () => {
    const [before] = [await memory()];
    const rows = [randomUUID(), randomUUID()];
    for (const [index, id] of rows.entries()) {
      await api.sql(
        `INSERT INTO trial_uses (subscription_id, user_id, fingerprint, created_at) VALUES ($1, $2, $3, now())`,
        [id, randomUUID(), index === 0 ? 'same' : null],
      );
    }
    await api.app.get(StoredFingerprints).onModuleInit();
    await api.sql(`UPDATE trial_uses SET fingerprint = 'same' WHERE subscription_id = $1`, [rows[1]]);
    await api.app.get(StoredFingerprints).onModuleInit();
    const added = (await memory()).slice(before.length);
    expect(added.map(({ fingerprint }) => fingerprint)).toEqual([null, null]);
    expect(added.filter(({ fingerprint_hash: hash }) => hash !== null)).toHaveLength(1);
    await api.sql('DELETE FROM trial_uses WHERE subscription_id = ANY ($1)', [rows]);
  });

  it("allows a week's downloads, whatever the period; the first paid period has its own", async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_yearly_usd', { trial: true });
    expect((await member.me()).limits).toEqual({ exports: 20, exports_used: 0 });
    await advance(api, { days: 7 });
    await until(async () => (await member.me()).limits.exports === 1040, 'the first paid period');
  });
});
