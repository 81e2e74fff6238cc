import { once } from 'node:events';
import { get as openRequest } from 'node:http';
import { BASE_PATH } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { refusalOf } from '../../test/support/key-client.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { ManualWorker } from '../../test/support/workers/manual-worker.js';
import { TasksService } from './tasks.service.js';

/** More than the pool has connections. */
const MANY = 60;
let api: TestApi;
let visitor: Visitor;
let worker: ManualWorker;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  await api.sql('DELETE FROM runs');
  visitor = await api.guest();
  worker = new ManualWorker(api);
  await worker.start();
});
afterEach(() => worker.stop());

const wait = (taskId: string, prefer = 'wait=60') => visitor.get(`/tasks/${taskId}`).set({ prefer });

/** Sends requests that wait. @returns their answers, once all of them wait */
async function startWaiting(taskId: string, count = 1) {
  const began = Promise.withResolvers<void>();
  const service = api.app.get(TasksService);
  const { waitUntilFinal } = service;
  const spy = vi.spyOn(service, 'waitUntilFinal').mockImplementation((...call) => {
    if (spy.mock.calls.length === count) began.resolve();
    return waitUntilFinal.apply(service, call);
  });
  const answers = Array.from({ length: count }, () => wait(taskId).then((answer) => answer));
  await began.promise;
  spy.mockRestore();
  return answers;
}

describe('GET /tasks/{id} with Prefer: wait', () => {
  it('answers when the task has ended', async () => {
    const { task_id } = await visitor.process();
    const [answer] = await startWaiting(task_id);
    await worker.end(task_id, (run) => worker.finish(run));
    const { status, body, headers } = (await answer) ?? {};
    expect([status, body.status, headers?.['preference-applied']]).toEqual([200, 'completed', 'wait=60']);
    expect(body.output_url).not.toBeNull();
  });

  it('answers when the task is cancelled or deleted', async () => {
    const { task_id } = await visitor.process();
    const [cancelled] = await startWaiting(task_id);
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
    expect((await cancelled)?.body.status).toBe('cancelled');
    const other = await visitor.process();
    const [deleted] = await startWaiting(other.task_id);
    await visitor.delete('/tasks/delete', { task_ids: [other.task_id] }).expect(204);
    expect([(await deleted)?.status, (await deleted)?.body.error_code]).toEqual([404, 'tasks.not_found']);
  });

  it('answers with the task as it is when the time is over', async () => {
    const { task_id } = await visitor.process();
    const { body, headers } = await wait(task_id, 'wait=0').expect(200);
    expect([body.status, headers['preference-applied']]).toEqual(['processing', 'wait=0']);
    await visitor.post(`/tasks/${task_id}/cancel`).expect(200);
    expect((await wait(task_id, 'wait=86400').expect(200)).headers['preference-applied']).toBe('wait=60');
    expect((await wait(task_id, 'wait=soon').expect(200)).headers).not.toHaveProperty('preference-applied');
  });

  it("refuses another visitor's task at once", async () => {
    const { task_id } = await (await api.guest()).process();
    expect(await refusalOf(wait(task_id))).toEqual([404, 'tasks.not_found']);
  });

  it('takes no connection of the database from other requests', async () => {
    const { task_id } = await visitor.process();
    const waiting = await startWaiting(task_id, MANY);
    await visitor.get('/users/@me').expect(200);
    await worker.end(task_id, (run) => worker.finish(run));
    const answers = await Promise.all(waiting);
    expect(answers.map(({ body }) => body.status)).toEqual(Array(MANY).fill('completed'));
  });

  it('ends when the client leaves', async () => {
    const { task_id } = await visitor.process();
    const service = api.app.get(TasksService);
    const waiting = vi.spyOn(service, 'waitUntilFinal');
    const headers = { authorization: `Bearer ${visitor.token}`, prefer: 'wait=60' };
    const received = once(api.app.getHttpServer(), 'request');
    const request = openRequest(`${api.url}${BASE_PATH}/tasks/${task_id}`, { headers, agent: false });
    request.on('error', () => undefined);
    await received;
    await until(() => waiting.mock.results.length === 1, 'the request to wait');
    request.destroy();
    expect(await waiting.mock.results[0]?.value).toMatchObject({ status: 'processing' });
    waiting.mockRestore();
  });
});
