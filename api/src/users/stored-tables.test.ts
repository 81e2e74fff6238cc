import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { STORED_TABLES, tablesOf, tablesWith } from '../../test/support/stored-tables.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  // No jobs, which would change seeded rows.
  api = await startApi({ API_ROLE: 'http' });
});
afterAll(() => api.stop());

const personal = Object.entries(STORED_TABLES).flatMap(([table, entry]) =>
  'impersonal' in entry ? [] : [{ table, entry }],
);

async function userWithEverything() {
  const email = newEmail();
  const member = await api.member({ email });
  const { task_id } = await member.announce({ file_name: 'me.jpg' });
  await member.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' }, { 'idempotency-key': randomUUID() });
  const me = await member.me();
  const userId: string = me.web_user_id;
  const markers = new Map<string, string>();
  for (const { table, entry } of personal) {
    if (!entry.seed) continue;
    const marker = randomUUID();
    await api.sql(entry.seed, [userId, marker].slice(0, entry.seed.includes('$2') ? 2 : 1));
    markers.set(table, marker);
  }
  return { member, userId, email, firebaseUid: String(me.firebase_uid), taskId: task_id, markers };
}

describe('every table of the database', () => {
  it('is classified as personal or impersonal', async () => {
    expect((await tablesOf(api)).sort()).toEqual(Object.keys(STORED_TABLES).sort());
  });

  it('is in the data export of its user', async () => {
    const { member, markers } = await userWithEverything();
    const { body } = await member.get('/users/@me/export').expect(200);
    const missing = personal.filter(({ table, entry }) => {
      if ('not' in entry.exported) return false;
      const part = body[entry.exported.as];
      const marker = entry.isHidden ? undefined : markers.get(table);
      return !part || part.length === 0 || (marker !== undefined && !JSON.stringify(part).includes(marker));
    });
    expect(missing.map(({ table }) => table)).toEqual([]);
  });

  it('contains nothing of a user after erasure', async () => {
    const { member, userId, email, firebaseUid, taskId, markers } = await userWithEverything();
    const texts = [userId, email, firebaseUid, taskId, ...markers.values()];
    const before = await tablesWith(api, texts);
    const isSeen = ({ table, entry }: (typeof personal)[number]) =>
      table !== 'erased_identities' && (!entry.isHidden || !entry.outlives) && table !== 'subscription_codes';
    expect(before).toEqual(expect.arrayContaining(personal.filter(isSeen).map(({ table }) => table)));
    await member.delete('/users/@me').expect(204);
    // Rows that outlive the account contain no id of the user, except ids given to others.
    expect(await tablesWith(api, [userId, email, firebaseUid, taskId])).toEqual([]);
    const kept = new Set(personal.filter(({ entry }) => entry.outlives).map(({ table }) => table));
    const left = await tablesWith(
      api,
      [...markers].flatMap(([table, marker]) => (kept.has(table) ? [] : [marker])),
    );
    // The ids of mails, until their files are removed, which no job does here.
    expect(left.sort()).toEqual(['gift_codes', 'pending_deletions']);
    for (const table of kept) {
      const marker = markers.get(table) ?? '';
      const rows = await api.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table}" t`);
      const personalColumns = rows.filter(({ row }) => row.includes(`cus_${marker}`) || row.includes(`${marker}@`));
      expect(personalColumns).toEqual([]);
    }
    const codes = 'SELECT FROM subscription_codes WHERE hash = sha256($1::text::bytea)';
    expect(await api.sql(codes, [markers.get('subscription_codes')])).toEqual([]);
  });

  it('moves with a guest to the account', async () => {
    const guest = await api.guest();
    const guestId: string = (await guest.me()).web_user_id;
    await guest.announce();
    for (const { entry } of personal) {
      if (entry.seed && !entry.staysWithGuest) await api.sql(entry.seed, [guestId, randomUUID()]);
    }
    await Visitor.login(api.http, { email: newEmail() }, guest);
    const left = await tablesWith(api, [guestId]);
    expect(left.filter((table) => !['users', 'sessions'].includes(table))).toEqual([]);
  });
});
