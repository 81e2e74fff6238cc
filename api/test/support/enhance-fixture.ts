import { BASE_PATH } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startApi, type TestApi } from './application.js';
import { KeyClient } from './key-client.js';
import { until } from './until.js';
import type { Visitor } from './visitor.js';
import { ManualWorker } from './workers/manual-worker.js';

/** Requests to `POST /enhance` by a new owner of a key for each test. */
export function useEnhance() {
  let api: TestApi;
  let owner: Visitor;
  let client: KeyClient;
  let worker: ManualWorker;
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

  const tasks = async () => (await owner.get('/tasks').expect(200)).body.data;
  const onlyTask = async () => {
    const [task] = await until(async () => {
      const found = await tasks();
      return found.length > 0 && found;
    }, 'the task');
    return task;
  };
  return {
    api: () => api,
    owner: () => owner,
    client: () => client,
    worker: () => worker,
    useWorker(): void {
      beforeAll(async () => {
        worker = new ManualWorker(api);
        await worker.start();
      });
      afterAll(() => worker.stop());
    },
    send: (bytes: Buffer, query = '', headers: Record<string, string> = {}) =>
      api.http
        .post(`${BASE_PATH}/enhance${query}`)
        .set({ ...client.headers, 'content-type': 'image/jpeg', ...headers })
        .send(bytes),
    tasks,
    onlyTask,
    /** Ends the run of the owner's only task, as soon as a worker has it. */
    async finishOnly(bytes: Buffer): Promise<void> {
      const { task_id: taskId } = await onlyTask();
      await worker.end(taskId, (run) => worker.finish(run, bytes));
    },
  };
}
