import { BASE_PATH, snakeCase, TOOL_ORDER } from '@clearframe/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';
import { picture } from '../../test/support/pictures.js';
import type { Visitor } from '../../test/support/visitor.js';
import { waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

type Key = Awaited<ReturnType<typeof KeyClient.of>>;

const fixture = useResultsFixture();
let owner: Visitor;
let key: Key;
beforeEach(async () => {
  owner = fixture.business;
  key = await KeyClient.of(fixture.api, owner);
});

async function started(client: KeyClient): Promise<string> {
  const { body } = await fixture.api.http
    .post(`${BASE_PATH}/enhance`)
    .set({ ...client.headers, 'content-type': 'image/jpeg' })
    .send(picture.jpeg())
    .expect(202);
  return body.task_id;
}

async function finished(client: KeyClient): Promise<string> {
  const id = await started(client);
  await fixture.worker.end(id, (run) => fixture.worker.finish(run, undefined, { width: 2000, height: 1500 }));
  await waitForStatus(owner, id, 'completed');
  return id;
}

async function failed(client: KeyClient): Promise<string> {
  const id = await started(client);
  await fixture.worker.end(id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
  await waitForStatus(owner, id, 'failed');
  return id;
}

const usageOf = async (caller: { get: Visitor['get'] }, query = '') =>
  (await caller.get(`/usage${query}`).expect(200)).body;
const rowsOf = async (caller: { get: Visitor['get'] }, query = '') => (await usageOf(caller, query)).data;

const today = () => new Date().toISOString().slice(0, 10);
const NO_TOOLS = Object.fromEntries(TOOL_ORDER.map((tool) => [snakeCase(tool), 0]));
/** Of pictures with the usual tools. */
const row = ({ keyId }: Key, counts: { pictures: number; megapixels: number; failed?: number }) => {
  const tools = { ...NO_TOOLS, background_enhance: counts.pictures, face_enhance: counts.pictures };
  return { day: today(), key_id: keyId, is_test: false, videos: 0, failed: 0, tools, ...counts };
};

/** Pictures of past days. */
const record = async (days: Readonly<Record<string, number>>) => {
  const { web_user_id: userId } = await owner.me();
  for (const [day, pictures] of Object.entries(days))
    await fixture.api.sql('INSERT INTO key_days (user_id, day, key_id, pictures) VALUES ($1, $2, $3, $4)', [
      userId,
      day,
      key.keyId,
      pictures,
    ]);
};

describe('the usage of a key', () => {
  it('counts results with their size, and failures', async () => {
    await finished(key);
    const again = await finished(key);
    await failed(key);
    expect(await usageOf(key)).toEqual({
      data: [row(key, { pictures: 2, megapixels: 6, failed: 1 })],
      has_more: false,
    });
    const { bulk_upload_id: upload } = await owner.task(again);
    const input = { input_reprocess_list: [{ client_task_id: again, ai_pipeline: { bokeh: { model: 'low' } } }] };
    await key.post(`/tasks/bulk-upload/${upload}/reprocess`, input).expect(202);
    await fixture.worker.end(again, (run) => fixture.worker.finish(run));
    await waitForStatus(owner, again, 'completed');
    expect(await rowsOf(key)).toMatchObject([
      { pictures: 3, megapixels: 6.3072, failed: 1, tools: { face_enhance: 2, background_enhance: 2, bokeh: 1 } },
    ]);
  });

  it('counts nothing while work goes on, and nothing that is cancelled, deleted, or done without a key', async () => {
    const { task_id: own } = await owner.process();
    await fixture.worker.end(own, (run) => fixture.worker.finish(run));
    await waitForStatus(owner, own, 'completed');
    const cancelled = await started(key);
    await fixture.worker.waitForJob(cancelled);
    expect(await rowsOf(owner)).toEqual([]);
    await key.post(`/tasks/${cancelled}/cancel`).expect(200);
    await key.delete('/tasks/delete', { task_ids: [await started(key)] }).expect(204);
    expect(await rowsOf(owner)).toEqual([]);
    expect(await fixture.api.sql('SELECT FROM key_runs WHERE key_id = $1', [key.keyId])).toEqual([]);
  });

  it('stays when the picture is deleted and the key revoked', async () => {
    await key.delete('/tasks/delete', { task_ids: [await finished(key)] }).expect(204);
    await owner.delete(`/plugin-keys/${key.keyId}`).expect(204);
    expect(await rowsOf(owner, `?key_id=${key.keyId}`)).toEqual([row(key, { pictures: 1, megapixels: 3 })]);
  });

  it('is seen by keys of its kind and by a login of its account only', async () => {
    const [test, other] = [
      await KeyClient.of(fixture.api, owner, { is_test: true }),
      await KeyClient.of(fixture.api, owner),
    ];
    await finished(key);
    await finished(test);
    const live = row(key, { pictures: 1, megapixels: 3 });
    const tried = { ...row(test, { pictures: 1, megapixels: 3 }), is_test: true };
    expect(await rowsOf(other)).toEqual([live]);
    expect(await rowsOf(other, `?key_id=${other.keyId}`)).toEqual([]);
    expect(await rowsOf(test)).toEqual([tried]);
    expect(new Set(await rowsOf(owner))).toEqual(new Set([live, tried]));
    expect(await rowsOf(owner, `?key_id=${test.keyId}`)).toEqual([tried]);
    expect(await refusalOf(test.get(`/usage?key_id=${key.keyId}`))).toEqual([404, 'plugin_keys.not_found']);
    const stranger = await fixture.api.business();
    expect(await rowsOf(stranger)).toEqual([]);
    expect(await refusalOf(stranger.get(`/usage?key_id=${key.keyId}`))).toEqual([404, 'plugin_keys.not_found']);
  });
});

describe('the days of usage', () => {
  it('are those asked for, both ends included', async () => {
    await record({ '2026-01-31': 1, '2026-02-01': 2, '2026-02-28': 3, '2026-03-01': 4 });
    const days = async (query: string) => (await rowsOf(key, query)).map(({ day }: { day: string }) => day);
    expect(await days('?from=2026-02-01&to=2026-02-28')).toEqual(['2026-02-01', '2026-02-28']);
    expect(await days('?from=2026-01-31&to=2026-01-31')).toEqual(['2026-01-31']);
    expect(await days('?to=2026-03-01')).toEqual(['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01']);
    expect(await days('?to=2026-03-02')).toEqual(['2026-02-01', '2026-02-28', '2026-03-01']);
    expect(await days('?from=2025-03-01&to=2026-03-01')).toHaveLength(4);
  });

  it('come in pages', async () => {
    await record({ '2026-01-01': 1, '2026-01-02': 2, '2026-01-03': 3 });
    const period = '?from=2026-01-01&to=2026-01-31&limit=2';
    const first = await usageOf(key, period);
    expect(first).toMatchObject({ data: [{ day: '2026-01-01' }, { day: '2026-01-02' }], has_more: true });
    const next = await usageOf(key, `${period}&starting_after=2026-01-02:${key.keyId}`);
    expect(next).toMatchObject({ data: [{ day: '2026-01-03', pictures: 3 }], has_more: false });
  });

  it.each([
    ['a day that does not exist', 'from=2026-02-30', 'from'],
    ['a moment', 'to=2026-02-01T00:00:00Z', 'to'],
    ['an end before the beginning', 'from=2026-02-02&to=2026-02-01', 'from'],
    ['a beginning in the future', 'from=2999-01-01', 'from'],
    ['more than a year', 'from=2025-02-28&to=2026-03-01', 'from'],
    ['a key that is no id', 'key_id=mine', 'key_id'],
    ['a page without rows', 'limit=0', 'limit'],
    ['a row that is none', 'starting_after=2026-01-01', 'starting_after'],
    ['a day before all calendars', 'from=0000-01-01&to=0000-01-02', 'from'],
    ['a day after all calendars', 'to=9999-12-31', 'to'],
    ['a row of another period', 'starting_after=0000-01-01:00000000-0000-4000-8000-000000000000', 'starting_after'],
    ['two beginnings', 'from=2026-01-01&from=2026-01-02', 'from'],
  ])('are refused: %s', async (_what, query, field) => {
    const { status, body } = await owner.get(`/usage?${query}`);
    expect([status, body.error_code, Object.keys(body.details)[0]]).toEqual([422, 'request.invalid', field]);
  });
});

it('a run whose end is reported twice is counted once', async () => {
  const id = await started(key);
  const { run, complete } = await fixture.worker.waitForJob(id);
  const outcome = await fixture.worker.finish(run);
  await fixture.worker.report(run, outcome);
  await fixture.worker.report(run, outcome);
  complete();
  await fixture.worker.waitForReports();
  await waitForStatus(owner, id, 'completed');
  expect(await rowsOf(key)).toMatchObject([{ pictures: 1 }]);
});
