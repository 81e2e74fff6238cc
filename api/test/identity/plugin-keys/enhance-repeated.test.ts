import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/application.js';
import { notPictures, picture } from '../../support/pictures.js';
import { until } from '../../support/until.js';
import type { Visitor } from '../../support/visitor.js';
import { ManualWorker } from '../../support/workers/manual-worker.js';
import { KeyClient, refusalOf } from './key-client.js';

const WAIT = { prefer: 'wait=60' };
let api: TestApi;
let owner: Visitor;
let client: KeyClient;
let worker: ManualWorker;
function useWorker(): void {
  beforeAll(async () => {
    worker = new ManualWorker(api);
    await worker.start();
  });
  afterAll(() => worker.stop());
}
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  owner = await api.business();
  client = await KeyClient.of(api, owner);
});
/** A worker that holds jobs would take those of other tests. */
afterEach(async () => {
  const ids = (await tasks()).map(({ task_id }: { task_id: string }) => task_id);
  if (ids.length > 0) await owner.delete('/tasks/delete', { task_ids: ids }).expect(204);
});

/** Raw bytes. */
const send = (bytes: Buffer, query = '', headers: Record<string, string> = {}) =>
  api.http
    .post(`${BASE_PATH}/enhance${query}`)
    .set({ ...client.headers, 'content-type': 'image/jpeg', ...headers })
    .send(bytes);
const tasks = async () => (await owner.get('/tasks').expect(200)).body.data;

/** Ends the run of the owner's only task, as soon as a worker has it. */
async function finishOnly(bytes: Buffer): Promise<void> {
  const [task] = await until(async () => {
    const found = await tasks();
    return found.length > 0 && found;
  }, 'the task');
  await worker.end(task.task_id, (run) => worker.finish(run, bytes));
}

describe('POST /enhance with an Idempotency-Key', () => {
  useWorker();

  it('starts one task for the same request, and refuses other bytes or options', async () => {
    const [bytes, retry] = [picture.jpeg(), { 'idempotency-key': randomUUID() }];
    const first = await send(bytes, '?format=png', retry).expect(202);
    const again = await send(bytes, '?format=png', retry).expect(202);
    expect([again.body.task_id, again.headers['idempotency-replayed']]).toEqual([first.body.task_id, 'true']);
    const other = [422, 'idempotency.key_reused'];
    expect(await refusalOf(send(picture.jpeg(), '?format=png', retry))).toEqual(other);
    expect(await refusalOf(send(bytes, '?format=jpeg', retry))).toEqual(other);
    expect(await tasks()).toHaveLength(1);
    const [response] = await Promise.all([
      send(bytes, '?format=png', { ...retry, ...WAIT }).buffer(true),
      finishOnly(picture.png(70_000)),
    ]);
    expect([response.status, response.body.length]).toEqual([200, 70_000]);
  });

  it('may be sent again after a refusal', async () => {
    const retry = { 'idempotency-key': randomUUID() };
    expect(await refusalOf(send(notPictures.pdf, '', retry))).toEqual([415, 'uploads.unsupported_type']);
    const { body } = await send(picture.jpeg(), '', retry).expect(202);
    await worker.end(body.task_id, (run) => worker.finish(run));
  });
});
