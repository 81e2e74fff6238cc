import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { until } from '../../../test/support/until.js';
import type { Visitor } from '../../../test/support/visitor.js';
import { IdempotencyService } from './idempotency.service.js';

let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const JPEG = { image_content_type: 'image/jpeg' };
const announce = (key: string, body: object = JPEG, who = visitor) =>
  who.post('/tasks/bulk-upload', body, { 'Idempotency-Key': key });
const uploadCount = async () => Number((await api.sql('SELECT count(*) FROM bulk_uploads'))[0]?.count);

describe('an Idempotency-Key', () => {
  beforeAll(async () => {
    visitor = await api.guest();
  });

  it('repeats the first response and creates nothing', async () => {
    const first = await announce('again').expect(201);
    const before = await uploadCount();
    const second = await announce('again').expect(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers['cache-control']).toBe('no-store');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(await uploadCount()).toBe(before);
  });

  it('responds with 422 to another body', async () => {
    await announce('reused').expect(201);
    const { body } = await announce('reused', { ...JPEG, file_name: 'other.jpg' }).expect(422);
    expect(body.error_code).toBe('idempotency.key_reused');
  });

  it('responds with 422 to another path', async () => {
    const { body } = await announce('addressed').expect(201);
    await visitor
      .post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`, JPEG, { 'Idempotency-Key': 'addressed' })
      .expect(422);
  });

  it('is scoped to one caller', async () => {
    const mine = await announce('shared').expect(201);
    const theirs = await announce('shared', JPEG, await api.guest()).expect(201);
    expect(theirs.body.bulk_upload_id).not.toBe(mine.body.bulk_upload_id);
  });

  it('lets one of many concurrent requests through', async () => {
    const before = await uploadCount();
    const answers = await Promise.all(Array.from({ length: 8 }, () => announce('at-once')));
    expect(await uploadCount()).toBe(before + 1);
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect(made.length).toBeGreaterThan(0);
    expect(made.length + refused.length).toBe(8);
    expect(new Set(made.map(({ body }) => body.bulk_upload_id)).size).toBe(1);
    for (const { body, headers } of refused) {
      expect(body.error_code).toBe('idempotency.in_progress');
      expect(headers['retry-after']).toBe('1');
    }
  });

  it('stays in use when its response could not be stored: the work is not repeated', async () => {
    await api.sql(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const before = await uploadCount();
    const first = await announce('unstored').expect(201);
    expect((await announce('unstored').expect(409)).body.error_code).toBe('idempotency.in_progress');
    await api.sql('DROP TRIGGER refuse ON idempotency_keys');
    const again = await until(async () => {
      const answer = await announce('unstored');
      return answer.status === 201 ? answer : null;
    }, 'the stored response');
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await uploadCount()).toBe(before + 1);
  });

  it('is free after a refusal', async () => {
    await announce('refused', { image_content_type: 'image/gif' }).expect(422);
    await announce('refused').expect(201);
  });

  it('does not hide a refusal when it could not be released', async () => {
    await api.sql(`
      CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER keep BEFORE DELETE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION keep()`);
    await announce('unreleased', { image_content_type: 'image/gif' }).expect(422);
    await api.sql('DROP TRIGGER keep ON idempotency_keys');
  });

  it('is remembered for a day', async () => {
    const { body } = await announce('yesterday').expect(201);
    await api.sql("UPDATE idempotency_keys SET created_at = now() - interval '23 hours' WHERE key = 'yesterday'");
    await api.app.get(IdempotencyService).purge();
    expect((await announce('yesterday').expect(201)).body).toEqual(body);
    await api.sql("UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'yesterday'");
    expect((await announce('yesterday').expect(201)).body).not.toEqual(body);
    await api.sql("UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'yesterday'");
    await api.app.get(IdempotencyService).purge();
    expect(await api.sql("SELECT FROM idempotency_keys WHERE key = 'yesterday'")).toEqual([]);
  });

  it.each([
    ['256 characters', 'k'.repeat(256)],
    ['nothing', ''],
    ['two\tcolumns', 'two\tcolumns'],
  ])('is refused when it is %s', async (_what, key) => {
    const { body } = await announce(key).expect(400);
    expect(body.error_code).toBe('idempotency.key_invalid');
  });

  it.each([
    ['255 characters', 'k'.repeat(255)],
    ['spaces', 'two words'],
    ['letters beyond ASCII', 'schlüssel'],
  ])('may have %s', async (_what, key) => {
    const first = await announce(key).expect(201);
    expect((await announce(key).expect(201)).body).toEqual(first.body);
  });

  it('is accepted by a route that records a decision', async () => {
    const give = () =>
      visitor.post('/users/@me/consents/marketing', { request_url: api.url }, { 'Idempotency-Key': 'consent' });
    const { body } = await give().expect(200);
    await visitor.delete('/users/@me/consents/marketing', { request_url: api.url }).expect(204);
    const again = await give().expect(200);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([body, 'true']);
  });

  it('works without a token', async () => {
    const become = () => api.http.post(`${BASE_PATH}/users`).set('Idempotency-Key', 'a-key-of-128-random-bits');
    expect((await become().expect(201)).body).toEqual((await become().expect(201)).body);
  });

  it('stores responses encrypted', async () => {
    const answer = await api.http.post(`${BASE_PATH}/users`).set('Idempotency-Key', 'sealed').expect(201);
    const rows = await api.sql<{ answer: Buffer }>("SELECT answer FROM idempotency_keys WHERE key = 'sealed'");
    expect(rows).toHaveLength(1);
    const kept = Buffer.concat(rows.map((row) => row.answer)).toString('latin1');
    expect(kept).not.toContain('access_token');
    for (const part of answer.body.access_token.split('.')) expect(kept).not.toContain(part);
  });

  it('does not decrypt a response of another caller', async () => {
    await announce('mine').expect(201);
    await announce('theirs', JPEG, await api.guest()).expect(201);
    await api.sql(`UPDATE idempotency_keys SET answer = other.answer FROM idempotency_keys other
                   WHERE idempotency_keys.key = 'mine' AND other.key = 'theirs'`);
    const { body } = await announce('mine').expect(410);
    expect(body.error_code).toBe('idempotency.answer_expired');
  });

  it('responds with 410 when the stored response has an earlier format or key', async () => {
    await announce('sealed-before').expect(201);
    const before = await uploadCount();
    await api.sql("UPDATE idempotency_keys SET answer = decode(repeat('5e', 96), 'hex') WHERE key = 'sealed-before'");
    const { body } = await announce('sealed-before').expect(410);
    expect(body).toMatchObject({ error_code: 'idempotency.answer_expired' });
    expect(body.retry_after).toBeUndefined();
    expect(await uploadCount()).toBe(before);
  });

  it('is ignored by routes that create nothing', async () => {
    const { task_id } = await visitor.announce();
    const { headers } = await visitor.get(`/tasks/${task_id}`).set('Idempotency-Key', 'two words').expect(200);
    expect(headers['idempotency-replayed']).toBeUndefined();
  });
});
