import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinal, taskRoutes } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { slowPortrait } from '../support/portrait.ts';
import { emptyRedis, environmentOf, startLongQuery } from '../support/product/database.ts';
import { until } from '../support/product/until.ts';
import { type Faults, untilFinal, untilRunning } from './faults.ts';

const GUESTS = 10;

export function testPictures(faults: Faults): void {
  it('of concurrent guests have places in the queue and private tasks, which all complete', async () => {
    // Others wait until it is cancelled.
    const first = await ApiClient.createGuest(faults.product.url);
    const blocking = await first.submit(await slowPortrait());
    await until('the first picture is being enhanced', async () => (await first.task(blocking)).queueWaitNum === 0);
    const guests = await Promise.all(Array.from({ length: GUESTS }, () => ApiClient.createGuest(faults.product.url)));
    const taskIds = await Promise.all(guests.map((guest) => guest.submit(faults.small)));
    const readTasks = () => Promise.all(guests.map((guest, index) => guest.task(taskIds[index] ?? '')));

    const waiting = await until('every task has a place', async () => {
      const places = (await readTasks()).map(({ queueWaitNum }) => queueWaitNum);
      return places.includes(null) ? null : places.map(Number);
    });
    expect(waiting.toSorted((a, b) => a - b)).toEqual(guests.map((_, index) => index + 1));

    await first.call(taskRoutes.cancelTask, { params: { taskId: blocking } });
    // -1: left the queue.
    const lowest = new Map(taskIds.map((taskId, index) => [taskId, waiting[index] ?? Number.NaN]));
    const ended = await until('all tasks have ended', async () => {
      const tasks = await readTasks();
      for (const { taskId, queueWaitNum } of tasks) {
        const place = queueWaitNum ?? -1;
        expect(place).toBeLessThanOrEqual(lowest.get(taskId) ?? Number.NaN);
        lowest.set(taskId, place);
      }
      return tasks.every(({ status }) => isFinal(status)) ? tasks : null;
    });
    expect(ended.map(({ status }) => status)).toEqual(new Array(GUESTS).fill('completed'));

    const [one, another] = guests;
    await expect(one?.task(taskIds[1] ?? '')).rejects.toMatchObject({
      status: 404,
      problem: { error_code: 'tasks.not_found' },
    });
    await expect(another?.task(taskIds[1] ?? '')).resolves.toMatchObject({ status: 'completed' });
  });

  it('finishes once after the worker was killed', async () => {
    const guest = await ApiClient.createGuest(faults.product.url);
    const taskId = await guest.submit(faults.large);
    await untilRunning(guest, taskId);
    await faults.killer.replace('worker');
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    const files = await readdir(join(faults.product.dataFolder, 'media/results', taskId), { recursive: true });
    expect(files.filter((file) => file.endsWith('master.png'))).toHaveLength(1);
  });

  it('completes accepted tasks when Redis is killed and restarts empty', async () => {
    const guest = await ApiClient.createGuest(faults.product.url);
    const [running, waiting] = [await guest.submit(faults.large), await guest.submit(faults.small)];
    await untilRunning(guest, running);
    // Memory and append-only file are gone.
    const killed = await faults.product.pidOf('redis');
    await rm(join(faults.product.dataFolder, 'redis'), { recursive: true, force: true });
    process.kill(killed, 'SIGKILL');
    const accepted = await guest.submit(faults.small);
    await faults.killer.untilReplaced('redis', killed);
    for (const taskId of [running, waiting, accepted]) {
      const task = await untilFinal(guest, taskId);
      expect(task.status).toBe('completed');
      expect(task.result.outputs).toHaveLength(1);
    }
  });

  it('completes accepted tasks when PostgreSQL is killed during a long query', async () => {
    const { DATABASE_URL = '' } = await environmentOf(faults.product, 'api');
    const guest = await ApiClient.createGuest(faults.product.url);
    await startLongQuery(DATABASE_URL);
    const taskId = await guest.submit(faults.small);
    await faults.killer.replace('postgres');
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });

  it('completes accepted tasks when the api is killed', async () => {
    const guest = await ApiClient.createGuest(faults.product.url);
    const taskId = await guest.submit(faults.small);
    await faults.killer.replace('api');
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });
}

/** What `npm test` leaves out. */
export function testLostWork(faults: Faults): void {
  it('completes accepted tasks once when Redis is emptied', async () => {
    const guest = await ApiClient.createGuest(faults.product.url);
    const [running, waiting] = [await guest.submit(faults.large), await guest.submit(faults.small)];
    await untilRunning(guest, running);
    await emptyRedis(faults.product);
    for (const taskId of [running, waiting]) {
      const task = await untilFinal(guest, taskId);
      expect(task).toMatchObject({ status: 'completed', errorCode: null });
      expect(task.result.outputs).toHaveLength(1);
    }
  });

  it('finishes once after its inference process was killed', async () => {
    const guest = await ApiClient.createGuest(faults.product.url);
    const worker = await faults.product.pidOf('worker');
    const taskId = await guest.submit(faults.large);
    await untilRunning(guest, taskId);
    await faults.killer.killChild('worker', 'inference');
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    expect(await faults.product.pidOf('worker')).toBe(worker);
  });
}
