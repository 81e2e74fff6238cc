import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { advance } from '../../test/support/billing/customer.js';
import { useFileHost } from '../../test/support/file-host.js';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';
import { picture } from '../../test/support/pictures.js';
import { retryNow, runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { put, type Visitor } from '../../test/support/visitor.js';
import { waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';
import { createApp } from '../app/create-app.js';

type Key = Awaited<ReturnType<typeof KeyClient.of>>;

const fixture = useResultsFixture();
const host = useFileHost();
let owner: Visitor;
beforeEach(() => {
  owner = fixture.business;
});

const keyWith = (choice: object) => KeyClient.of(fixture.api, owner, choice);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const listed = async ({ keyId }: Key) => {
  const { body } = await owner.get('/plugin-keys').expect(200);
  return body.data.find(({ id }: { id: string }) => id === keyId);
};
const enhance = (key: KeyClient) =>
  fixture.api.http
    .post(`${BASE_PATH}/enhance`)
    .set({ ...key.headers, 'content-type': 'image/jpeg' })
    .send(picture.jpeg());
const started = async (key: KeyClient): Promise<string> => (await enhance(key).expect(202)).body.task_id;
const usedOf = async ({ keyId }: Key): Promise<number> => {
  const [month] = await fixture.api.sql('SELECT used FROM key_months WHERE key_id = $1 ORDER BY month DESC', [keyId]);
  return month?.used ?? 0;
};
const use = async ({ keyId }: Key, used: number) =>
  fixture.api.sql(
    `INSERT INTO key_months (user_id, key_id, month, used)
     SELECT user_id, id, date_trunc('month', now() AT TIME ZONE 'UTC'), $2 FROM plugin_keys WHERE id = $1
     ON CONFLICT (user_id, key_id, month) DO UPDATE SET used = $2`,
    [keyId, used],
  );
const tasks = async () => (await owner.get('/tasks').expect(200)).body.data;

const CHOICE = {
  name: 'Web shop',
  scopes: ['media:read', 'media:write'],
  limits: { per_minute: 30, per_month: 1000 },
};

describe('what the owner chooses for a key', () => {
  it('is shown with it', async () => {
    const choice = { ...CHOICE, expires_at: inAnHour() };
    const { body } = await owner.post('/plugin-keys', choice).expect(201);
    expect(body).toMatchObject({ ...choice, last_used_at: null, last_used_ip: null, device_id: null });
    const { key, ...shown } = body;
    expect((await owner.get('/plugin-keys').expect(200)).body.data).toEqual([shown]);
    const { body: exported } = await owner.get('/users/@me/export').expect(200);
    expect(exported.plugin_keys).toMatchObject([choice]);
  });

  it('can be left to the account', async () => {
    const { body } = await owner.post('/plugin-keys', { limits: { per_month: 5 } }).expect(201);
    expect(body).toMatchObject({ name: null, expires_at: null, limits: { per_minute: null, per_month: 5 } });
    expect(body.scopes).toEqual(['media:read', 'media:write', 'videos']);
  });

  it('changes as a whole, for its owner alone', async () => {
    const key = await keyWith(CHOICE);
    const change = { name: null, expires_at: inAnHour(), limits: { per_minute: null, per_month: 7 } };
    const address = `/plugin-keys/${key.keyId}`;
    const { body } = await owner.put(address, change).expect(200);
    expect(body).toMatchObject({ ...change, scopes: CHOICE.scopes });
    expect(await listed(key)).toEqual(body);
    const stranger = await fixture.api.business();
    expect(await refusalOf(stranger.put(address, change))).toEqual([404, 'plugin_keys.not_found']);
    expect(await refusalOf(owner.put(`/plugin-keys/${randomUUID()}`, change))).toEqual([404, 'plugin_keys.not_found']);
    const { body: narrower } = await owner.put(address, { ...change, scopes: ['media:read'] }).expect(200);
    expect(narrower.scopes).toEqual(['media:read']);
    expect(await refusalOf(owner.put(address, { name: 'Only this' }))).toEqual([422, 'request.invalid']);
    expect(await refusalOf(key.put(address, change))).toEqual([403, 'plugin_keys.not_permitted']);
    await owner.delete(address).expect(204);
    expect(await refusalOf(owner.put(address, change))).toEqual([404, 'plugin_keys.not_found']);
  });

  it.each<[string, object, string]>([
    ['an end beyond calendars', { expires_at: '9999-12-31T23:59:59-12:00' }, 'expires_at'],
    ['an end that is no time', { expires_at: 'tomorrow' }, 'expires_at'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['money'] }, 'scopes.0'],
    ['a limit of nothing', { limits: { per_minute: 0 } }, 'limits.per_minute'],
    ['half a picture', { limits: { per_month: 1.5 } }, 'limits.per_month'],
    ['a limit beyond reason', { limits: { per_month: 1e9 } }, 'limits.per_month'],
    ['a name of spaces', { name: '  ' }, 'name'],
    ['a long name', { name: 'n'.repeat(101) }, 'name'],
  ])('is refused: %s', async (_what, choice, field) => {
    const { status, body } = await owner.post('/plugin-keys', choice);
    expect([status, body.error_code, Object.keys(body.details)]).toEqual([422, 'request.invalid', [field]]);
  });

  it('ends in the future', async () => {
    const past = { expires_at: new Date(Date.now() - 1000).toISOString() };
    expect(await refusalOf(owner.post('/plugin-keys', past))).toEqual([422, 'plugin_keys.end_in_past']);
    const key = await keyWith({});
    const change = { name: null, limits: { per_minute: null, per_month: null }, ...past };
    expect(await refusalOf(owner.put(`/plugin-keys/${key.keyId}`, change))).toEqual([422, 'plugin_keys.end_in_past']);
    expect((await listed(key)).expires_at).toBe(null);
  });

  it('has no videos for a test key', async () => {
    const refused = owner.post('/plugin-keys', { is_test: true, scopes: ['media:read', 'videos'] });
    expect(await refusalOf(refused)).toEqual([403, 'plugin_keys.live_required']);
    const key = await keyWith({ is_test: true, scopes: ['media:read'] });
    const change = { name: null, expires_at: null, limits: { per_minute: null, per_month: null }, scopes: ['videos'] };
    expect(await refusalOf(owner.put(`/plugin-keys/${key.keyId}`, change))).toEqual([403, 'plugin_keys.live_required']);
    expect((await listed(key)).scopes).toEqual(['media:read']);
  });
});

describe('the scopes of a key', () => {
  it('are all that it may do', async () => {
    const reading = await keyWith({ scopes: ['media:read'] });
    await reading.get('/tasks').expect(200);
    await reading.get('/usage').expect(200);
    const refused = await enhance(reading);
    expect([refused.status, refused.body.error_code]).toEqual([403, 'plugin_keys.scope_missing']);
    expect(refused.body.details).toEqual({ scope: 'media:write' });
    expect(await tasks()).toEqual([]);
    const writing = await keyWith({ scopes: ['media:write'] });
    await started(writing);
    expect(await refusalOf(writing.get('/usage'))).toEqual([403, 'plugin_keys.scope_missing']);
  });
});

describe('the end of a key', () => {
  it('refuses it, names the guide, and can be put off', async () => {
    const key = await keyWith({ expires_at: inAnHour() });
    const task = await started(key);
    await fixture.api.sql('UPDATE plugin_keys SET expires_at = now() WHERE id = $1', [key.keyId]);
    const { status, body } = await enhance(key);
    expect([status, body.error_code]).toEqual([401, 'plugin_keys.expired']);
    expect(body.error_description).toMatch(/expired.*X-Api-Key.*\/developers$/);
    await fixture.worker.end(task, (run) => fixture.worker.finish(run));
    await waitForStatus(owner, task, 'completed');
    expect((await listed(key)).expires_at).toMatch(/Z$/);
    const longer = { name: null, expires_at: inAnHour(), limits: { per_minute: null, per_month: null } };
    await owner.put(`/plugin-keys/${key.keyId}`, longer).expect(200);
    await started(key);
  });

  it('ends its upload tokens', async () => {
    const key = await keyWith({ expires_at: inAnHour() });
    const { body } = await key.post('/upload-tokens', {}).expect(201);
    await fixture.api.sql('UPDATE plugin_keys SET expires_at = now() WHERE id = $1', [key.keyId]);
    const sent = fixture.api.http
      .post(`${BASE_PATH}/enhance`)
      .set({ authorization: `Bearer ${body.token}`, 'content-type': 'image/jpeg' })
      .send(picture.jpeg());
    expect(await refusalOf(sent)).toEqual([401, 'users.not_authorized']);
  });
});

describe('the last use of a key', () => {
  it('is recorded with its address, which is forgotten after 90 days', async () => {
    const key = await keyWith({});
    await key.get('/users/@me').expect(200);
    const { last_used_at, last_used_ip } = await listed(key);
    expect([last_used_at, last_used_ip]).toEqual([expect.stringMatching(/Z$/), '127.0.0.1']);
    const age = (days: number) =>
      fixture.api.sql(`UPDATE plugin_keys SET last_used_at = now() - make_interval(days => $2) WHERE id = $1`, [
        key.keyId,
        days,
      ]);
    await age(89);
    await runScheduled(fixture.api, 'retention.key-addresses');
    expect((await listed(key)).last_used_ip).toBe('127.0.0.1');
    await age(91);
    await runScheduled(fixture.api, 'retention.key-addresses');
    expect(await listed(key)).toMatchObject({ last_used_at: expect.stringMatching(/Z$/), last_used_ip: null });
  });
});

describe('the limit of requests a minute', () => {
  it('is of the key alone', async () => {
    const [key, other] = [await keyWith({ limits: { per_minute: 2 } }), await keyWith({})];
    const first = await key.get('/tasks').expect(200);
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
    await key.get('/users/@me').expect(200);
    const refused = await key.get('/tasks').expect(429);
    expect(refused.body.error_code).toBe('request.rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await other.get('/tasks').expect(200);
    await owner.get('/tasks').expect(200);
  });

  it('is counted by all processes together', async () => {
    const key = await keyWith({ limits: { per_minute: 10 } });
    const other = await createApp(fixture.api.environment);
    await other.listen(0, '127.0.0.1');
    try {
      const send = (base: string) => fetch(`${base}${BASE_PATH}/tasks`, { headers: key.headers });
      const bases = [await fixture.api.app.getUrl(), await other.getUrl()];
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(bases[index % 2] ?? '')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    } finally {
      await other.close();
    }
  });
});

describe('the limit of pictures a month', () => {
  it('refuses the next one until the month ends, and starts nothing', async () => {
    const key = await keyWith({ limits: { per_month: 2 } });
    await started(key);
    await started(key);
    const { status, body, headers } = await enhance(key);
    expect([status, body.error_code]).toEqual([429, 'plugin_keys.month_exhausted']);
    expect(body.details).toEqual({ limit: 2, resets_at: expect.stringMatching(/-01T00:00:00.000Z$/) });
    const seconds = (Date.parse(body.details.resets_at) - Date.now()) / 1000;
    expect(Math.abs(Number(headers['retry-after']) - seconds)).toBeLessThan(60);
    expect(await tasks()).toHaveLength(2);
    expect(await usedOf(key)).toBe(2);
    await started(await keyWith({}));
    await key.get('/tasks').expect(200);
  });

  it('lets one of twenty requests at once pass where one is left', async () => {
    const key = await keyWith({ limits: { per_month: 5 } });
    await use(key, 4);
    const answers = await Promise.all(Array.from({ length: 20 }, () => enhance(key)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error_code === 'plugin_keys.month_exhausted')).toHaveLength(19);
    expect(await tasks()).toHaveLength(1);
    expect(await usedOf(key)).toBe(5);
  });

  it('gets back what fails, and what is cancelled or deleted before a worker begins it', async () => {
    const key = await keyWith({ limits: { per_month: 1 } });
    const failed = await started(key);
    await fixture.worker.end(failed, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    await waitForStatus(owner, failed, 'failed');
    await fixture.worker.stop();
    await key.post(`/tasks/${await started(key)}/cancel`).expect(200);
    await key.delete('/tasks/delete', { task_ids: [await started(key)] }).expect(204);
    expect(await usedOf(key)).toBe(0);
  });

  it('counts from the day that it is set, with what was started before', async () => {
    const key = await keyWith({});
    await started(key);
    const limits = { per_minute: null, per_month: 1 };
    await owner.put(`/plugin-keys/${key.keyId}`, { name: null, expires_at: null, limits }).expect(200);
    expect(await refusalOf(enhance(key))).toEqual([429, 'plugin_keys.month_exhausted']);
  });

  it('refuses a batch that exceeds it as a whole, and leaves its files', async () => {
    const key = await keyWith({ limits: { per_month: 3 } });
    const inputs = Array.from({ length: 5 }, () => ({ image_content_type: 'image/jpeg' }));
    const { body: upload } = await key.post('/tasks/bulk-upload', { input_task_list: inputs }).expect(201);
    for (const target of upload.task_list) await put(target, picture.jpeg());
    const ids: string[] = upload.task_list.map((target: { task_id: string }) => target.task_id);
    const process = (body?: object) => key.post(`/tasks/bulk-upload/${upload.bulk_upload_id}/process`, body);
    expect(await refusalOf(process())).toEqual([429, 'plugin_keys.month_exhausted']);
    expect(await usedOf(key)).toBe(0);
    await process({ task_ids: ids.slice(0, 3) }).expect(202);
    for (const id of ids.slice(0, 3)) {
      await fixture.worker.end(id, (run) => fixture.worker.finish(run));
      await waitForStatus(owner, id, 'completed');
    }
    const limits = { per_minute: null, per_month: 5 };
    await owner.put(`/plugin-keys/${key.keyId}`, { name: null, expires_at: null, limits }).expect(200);
    await process().expect(202);
    expect(await usedOf(key)).toBe(5);
  });

  it('ends a batch by address in the middle: what was started goes on, the others say why not', async () => {
    const key = await keyWith({ limits: { per_month: 2 } });
    const address = host.serve('/photo.jpg', picture.jpeg());
    const inputs = Array.from({ length: 4 }, () => ({ input_url: address }));
    const { body: upload } = await key.post('/tasks/bulk-upload', { input_task_list: inputs }).expect(201);
    const batch = await until(async () => {
      await retryNow(fixture.api);
      const { body } = await key.get(`/tasks/bulk-upload/${upload.bulk_upload_id}`).expect(200);
      return (
        body.task_list.every(({ status }: { status: string }) => ['processing', 'invalid'].includes(status)) &&
        body.task_list
      );
    }, 'the pictures to be started or refused');
    const begun = batch.filter(({ status }: { status: string }) => status === 'processing');
    const refused = batch.filter(
      ({ error_code }: { error_code: string }) => error_code === 'plugin_keys.month_exhausted',
    );
    expect([begun.length, refused.length, await usedOf(key)]).toEqual([2, 2, 2]);
    const ids: string[] = begun.map(({ task_id }: { task_id: string }) => task_id);
    await Promise.all(ids.map((id) => fixture.worker.end(id, (run) => fixture.worker.finish(run))));
    for (const id of ids) await waitForStatus(owner, id, 'completed');
  });

  it('begins again with the month', async () => {
    const key = await keyWith({ limits: { per_month: 1 } });
    await started(key);
    await advance(fixture.api, { days: 31 });
    await started(key);
    expect(await refusalOf(enhance(key))).toEqual([429, 'plugin_keys.month_exhausted']);
  });
});
