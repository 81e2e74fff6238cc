import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { expectNoConnectionsInTransactions } from '../../test/support/open-transactions.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { createFinishedTask } from '../../test/support/workers/results.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

/** Cached settings are read again. */
function outliveCaches(): void {
  const later = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
}

it('a transaction that starts processing takes no second connection', async () => {
  const visitor = await api.guest();
  const { task_id, bulk_upload_id } = await visitor.upload();
  outliveCaches();
  await visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`).expect(202);
  expectNoConnectionsInTransactions();
  // Leaves the worker to the next test.
  await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
});

it('a transaction that starts reprocessing takes no second connection', async () => {
  const business = await api.business();
  const worker = new ManualWorker(api);
  await worker.start();
  const { task_id, bulk_upload_id } = await createFinishedTask(business, worker);
  outliveCaches();
  const { status } = await business.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, {
    input_reprocess_list: [{ client_task_id: task_id, ai_pipeline: { color_enhance: { model: 'teal' } } }],
  });
  expect(status).toBe(202);
  expectNoConnectionsInTransactions();
  await worker.stop();
});
