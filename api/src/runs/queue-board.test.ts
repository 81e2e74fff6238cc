import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STAFF_PASSWORD, startApi, type TestApi } from '../../test/support/application.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('DELETE FROM audit_entries');
});

const board = (path = '') => api.http.get(`/ops/queues${path}`);
const audited = async () =>
  (
    await api.sql<{ entry: string }>(
      "SELECT action || ' ' || (details ->> 'outcome') AS entry FROM audit_entries ORDER BY created_at",
    )
  ).map(({ entry }) => entry);

describe('the queue board', () => {
  it('asks browsers for the staff password', async () => {
    for (const path of ['', '/', '/api/queues', '/queue/images']) {
      const { headers, text } = await board(path).expect(401);
      expect(headers['www-authenticate']).toMatch(/^Basic realm=/);
      expect(text).toBe('The staff password is required.');
    }
    expect(await audited()).toEqual([]);
  });

  it('rejects wrong passwords, counts and audits them', async () => {
    await board().auth('staff', 'wrong').expect(401);
    await board().set('X-Secret-Menu-Password', 'wrong').expect(403);
    expect(await audited()).toEqual(['staff.ops.queues refused', 'staff.ops.queues refused']);
    for (let attempt = 0; attempt < 3; attempt++) await board().auth('staff', 'wrong').expect(401);
    await board().auth('staff', 'wrong').expect(429);
  });

  it('shows all queues, is audited once, and loads nothing from other hosts', async () => {
    const { text, headers } = await board().auth('staff', STAFF_PASSWORD).expect(200);
    expect(text).toContain('id="root"');
    expect(text).not.toMatch(/(?:src|href)="https?:/);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['cache-control']).toContain('no-store');
    for (const [, file] of text.matchAll(/(?:src|href)="(static\/[^"]+\.(?:js|css))"/g))
      await board(`/${file}`).auth('staff', STAFF_PASSWORD).expect(200);
    const { body } = await board('/api/queues').auth('staff', STAFF_PASSWORD).expect(200);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['images', 'videos']));
    expect(body.queues.every(({ readOnlyMode }: { readOnlyMode: boolean }) => readOnlyMode)).toBe(true);
    expect(await audited()).toEqual(['staff.ops.queues passed']);
    await board('/api/queues').set('X-Secret-Menu-Password', STAFF_PASSWORD).expect(200);
  });

  it.each(['pause', 'empty', 'obliterate', 'promote', 'add'])('can not %s a queue', async (action) => {
    const pending =
      action === 'add'
        ? api.http.post('/ops/queues/api/queues/images/add').send({})
        : api.http.put(`/ops/queues/api/queues/images/${action}`);
    const { status } = await pending.auth('staff', STAFF_PASSWORD);
    expect([404, 405]).toContain(status);
  });
});
