import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BASE_PATH } from '@clearframe/contract';
import { Client } from 'pg';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../runtime/test/ports.js';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { until } from '../../../test/support/until.js';
import type { Visitor } from '../../../test/support/visitor.js';
import { RENEW_EVERY_MS } from './idempotency.service.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const LOCK = 'SELECT pg_advisory_lock(102)';

let api: TestApi;
let visitor: Visitor;
/** Holds locks that requests wait for. */
let holder: Client;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
});
afterAll(() => api.stop());
beforeEach(async () => {
  holder = new Client({ connectionString: api.environment.DATABASE_URL });
  await holder.connect();
});
afterEach(async () => {
  await holder.end();
});

const announce = (key: string) =>
  visitor.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' }, { 'Idempotency-Key': key });
const uploadCount = async () => Number((await api.sql('SELECT count(*) FROM bulk_uploads'))[0]?.count);
const endLease = (key: string) =>
  api.sql("UPDATE idempotency_keys SET held_until = now() - interval '1 second' WHERE key = $1", [key]);
const claimOf = async (key: string) =>
  (
    await api.sql<{ token: string; status: number | null; is_held: boolean }>(
      'SELECT token, status, held_until > now() AS is_held FROM idempotency_keys WHERE key = $1',
      [key],
    )
  )[0];
const waitsForLock = (table: string) =>
  api.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [`%${table}%`],
  );

/**
 * Starts a request whose work waits until the holder ends its transaction. The response is wrapped: a promise that an
 * async function returns is awaited with it.
 */
async function startSlow(key: string) {
  await holder.query('BEGIN; LOCK TABLE bulk_uploads IN ACCESS EXCLUSIVE MODE');
  const response = announce(key).then((answer) => answer);
  await until(async () => (await waitsForLock('bulk_uploads')).length > 0, 'the work of the request');
  return { response };
}

describe('the claim of an Idempotency-Key', () => {
  it('is renewed while its request runs longer than a claim lasts', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const before = await uploadCount();
      const first = await startSlow('slow');
      await endLease('slow');
      vi.advanceTimersByTime(RENEW_EVERY_MS);
      await until(async () => (await claimOf('slow'))?.is_held, 'the renewal');
      expect((await announce('slow').expect(409)).body.error_code).toBe('idempotency.in_progress');
      await holder.query('ROLLBACK');
      expect((await first.response).status).toBe(201);
      expect(await uploadCount()).toBe(before + 1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not ended by a request that has lost it', async () => {
    const [done, failed] = ['late-response', 'late-failure'];
    const finishing = await startSlow(done);
    const failing = announce(failed).then((answer) => answer);
    await until(async () => (await waitsForLock('bulk_uploads')).length > 1, 'both requests');
    // Another process has claimed both keys.
    await api.sql('UPDATE idempotency_keys SET token = gen_random_uuid() WHERE key IN ($1, $2)', [done, failed]);
    const taken = await Promise.all([claimOf(done), claimOf(failed)]);
    const [, second] = await waitsForLock('bulk_uploads');
    await api.sql('SELECT pg_cancel_backend($1)', [second?.pid]);
    await holder.query('ROLLBACK');
    expect((await Promise.all([finishing.response, failing])).map(({ status }) => status).sort()).toEqual([201, 503]);
    expect(await Promise.all([claimOf(done), claimOf(failed)])).toEqual(taken);
  });

  it('survives its process between the work and the storing of its response, and ends a minute later', async () => {
    await holder.query(LOCK);
    await api.sql(`
      CREATE FUNCTION wait_for_holder() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(102); RETURN NEW; END $$;
      CREATE TRIGGER wait_for_holder BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION wait_for_holder()`);
    const before = await uploadCount();
    const port = await freePort();
    const child: ChildProcess = spawn(process.execPath, [MAIN], {
      env: { ...api.environment, API_PORT: String(port) },
      stdio: 'ignore',
    });
    const other = supertest(`http://127.0.0.1:${port}`);
    await until(
      () =>
        other.get('/healthz').then(
          ({ ok }) => ok,
          () => false,
        ),
      'the other process',
    );
    const cut = other
      .post(`${BASE_PATH}/tasks/bulk-upload`)
      .auth(visitor.token, { type: 'bearer' })
      .set('Idempotency-Key', 'killed')
      .send({ image_content_type: 'image/jpeg' })
      .then(
        () => 'answered',
        () => 'cut',
      );
    await until(async () => (await waitsForLock('idempotency_keys')).length > 0, 'the storing');
    expect(await uploadCount()).toBe(before + 1);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect(await cut).toBe('cut');
    // PostgreSQL would finish the statement of a client that is gone.
    for (const { pid } of await waitsForLock('idempotency_keys'))
      await api.sql('SELECT pg_terminate_backend($1)', [pid]);
    await until(async () => (await waitsForLock('idempotency_keys')).length === 0, 'the end of its statement');
    await holder.query('SELECT pg_advisory_unlock_all()');
    await api.sql('DROP FUNCTION wait_for_holder CASCADE');
    expect((await announce('killed').expect(409)).body.error_code).toBe('idempotency.in_progress');
    await endLease('killed');
    await announce('killed').expect(201);
    expect(await uploadCount()).toBe(before + 2);
  });
});
