import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import type { Visitor } from '../../test/support/visitor.js';

const MAX_KEYS = 10;
const UUID = /^[0-9a-f-]{36}$/;
const KEY = /^cfk_live_[\w-]{43}$/;
/** Of a key that is shown later: its mark and eight characters. */
const SHOWN = 17;
let api: TestApi;
let owner: Visitor;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.business();
});

interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly string[];
  readonly prefix: string;
  readonly created_at: string;
}

const idOf = async (visitor: Visitor): Promise<string> => (await visitor.me()).web_user_id;
async function create(visitor: Visitor = owner): Promise<CreatedKey> {
  const { body } = await visitor.post('/plugin-keys').expect(201);
  return body;
}
async function refusalOf(pending: PromiseLike<{ status: number; body: { error_code?: string } }>) {
  const { status, body } = await pending;
  return [status, body.error_code];
}
const listed = async (visitor: Visitor, query = '') => (await visitor.get(`/plugin-keys${query}`).expect(200)).body;

describe('a new plug-in key', () => {
  it('is shown once, and stored as a hash', async () => {
    const created = await create();
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      key: expect.stringMatching(KEY),
      is_test: false,
      name: null,
      scopes: ['media:read', 'media:write', 'videos'],
      expires_at: null,
      limits: { per_minute: null, per_month: null },
      prefix: created.key.slice(0, SHOWN),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      last_used_ip: null,
      device_id: null,
    });
    const { key: _, ...shown } = created;
    const { id, prefix } = created;
    expect(await listed(owner)).toEqual({ data: [shown], has_more: false });
    const [row] = await api.sql('SELECT to_jsonb(k)::text AS text FROM plugin_keys k WHERE id = $1', [id]);
    expect(row?.text).toContain(prefix);
    expect(row?.text).not.toContain(created.key.slice(SHOWN));
    const matching = 'SELECT id FROM plugin_keys WHERE hash = sha256($1::text::bytea)';
    expect(await api.sql(matching, [created.key])).toEqual([{ id }]);
  });

  it('is the same for a retry with the same Idempotency-Key, which is encrypted', async () => {
    const retry = { 'idempotency-key': randomUUID() };
    const { body } = await owner.post('/plugin-keys', undefined, retry).expect(201);
    const again = await owner.post('/plugin-keys', undefined, retry).expect(201);
    expect(again.body).toEqual(body);
    expect((await listed(owner)).data).toHaveLength(1);
    const stored = await api.sql('SELECT to_jsonb(k)::text AS text FROM idempotency_keys k');
    expect(JSON.stringify(stored)).not.toContain(body.key.slice(SHOWN));
  });

  it(`is refused beside ${MAX_KEYS} others, also of concurrent requests`, async () => {
    for (let count = 1; count < MAX_KEYS; count++) await create();
    const responses = await Promise.all([1, 2, 3].map(() => owner.post('/plugin-keys')));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ error_code: 'plugin_keys.limit_reached', details: { limit: MAX_KEYS } });
    const { data } = await listed(owner);
    await owner.delete(`/plugin-keys/${data[0].id}`).expect(204);
    await create();
  });

  it('needs an account with the business plan', async () => {
    expect(await refusalOf((await api.member()).post('/plugin-keys'))).toEqual([403, 'plugin_keys.not_in_plan']);
    expect(await refusalOf((await api.guest()).post('/plugin-keys'))).toEqual([403, 'billing.login_required']);
    expect(await refusalOf(api.http.post('/api/v1/web/plugin-keys'))).toEqual([401, 'users.not_authorized']);
  });

  it('is refused while operators switch keys off', async () => {
    const other = await startApi();
    try {
      await other.sql(`INSERT INTO flag_overrides VALUES ('psPlugin', 'false', now())`);
      const visitor = await other.business();
      expect(await refusalOf(visitor.post('/plugin-keys'))).toEqual([403, 'billing.not_offered']);
      expect(await listed(visitor)).toEqual({ data: [], has_more: false });
    } finally {
      await other.stop();
    }
  });
});

describe('plug-in keys', () => {
  it('are listed newest first, in pages', async () => {
    const ids = [await create(), await create(), await create()].map(({ id }) => id).reverse();
    const first = await listed(owner, '?limit=2');
    expect([first.data.map(({ id }: CreatedKey) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
    const second = await listed(owner, `?limit=2&starting_after=${ids[1]}`);
    expect([second.data.map(({ id }: CreatedKey) => id), second.has_more]).toEqual([ids.slice(2), false]);
  });

  it('are revoked permanently by their owner alone', async () => {
    const { id } = await create();
    const other = await api.business();
    expect(await listed(other)).toEqual({ data: [], has_more: false });
    for (const refused of [other.delete(`/plugin-keys/${id}`), other.get(`/plugin-keys?starting_after=${id}`)]) {
      expect(await refusalOf(refused)).toEqual([404, 'plugin_keys.not_found']);
    }
    await owner.delete(`/plugin-keys/${id}`).expect(204);
    expect(await listed(owner)).toEqual({ data: [], has_more: false });
    for (const path of [id, 'unknown', randomUUID()]) {
      expect(await refusalOf(owner.delete(`/plugin-keys/${path}`))).toEqual([404, 'plugin_keys.not_found']);
    }
  });

  it('can be listed and revoked after the plan has ended', async () => {
    const { id } = await create();
    await api.sql('UPDATE users SET is_free = false WHERE id = $1', [await idOf(owner)]);
    expect((await listed(owner)).data).toHaveLength(1);
    await owner.delete(`/plugin-keys/${id}`).expect(204);
  });

  it('are audited, without their secrets', async () => {
    const { id, prefix, key } = await create();
    await owner.delete(`/plugin-keys/${id}`).expect(204);
    const entries = 'SELECT action, details FROM audit_entries WHERE actor = $1 ORDER BY created_at';
    const audited = await api.sql(entries, [`user:${await idOf(owner)}`]);
    expect(audited).toEqual([
      { action: 'plugin_keys.create', details: { id, prefix } },
      { action: 'plugin_keys.revoke', details: { id } },
    ]);
    expect(JSON.stringify(audited)).not.toContain(key);
  });

  it('are in the data export with their end', async () => {
    const { id, prefix } = await create();
    await owner.delete(`/plugin-keys/${id}`).expect(204);
    const { body } = await owner.get('/users/@me/export').expect(200);
    expect(body.plugin_keys).toEqual([
      {
        kind: 'live',
        prefix,
        name: null,
        scopes: ['media:read', 'media:write', 'videos'],
        expires_at: null,
        limits: { per_minute: null, per_month: null },
        device_id: null,
        created_at: expect.stringMatching(/Z$/),
        last_used_at: null,
        last_used_ip: null,
        revoked_at: expect.stringMatching(/Z$/),
      },
    ]);
  });
});
