import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinal, megabytes, taskRoutes } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { openPage, useBrowser } from '../support/browser/browser.ts';
import { enlargeJpeg, slowUploads } from '../support/browser/network.ts';
import { untilHydrated } from '../support/identity/sign-in.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { blurredPortrait } from '../support/portrait.ts';
import { type Product, type ServiceName, startProduct } from '../support/product/product.ts';
import { until } from '../support/until.ts';

const browser = useBrowser();

let product: Product;
/** Restoring a face takes seconds. */
let large: Buffer;
let small: Buffer;
const GUESTS = 10;

beforeAll(async () => {
  [product, large, small] = await Promise.all([startProduct(), blurredPortrait(320), smallPicture()]);
});
afterAll(() => product?.stop());

const kill = async (name: ServiceName): Promise<number> => {
  const pid = await product.pidOf(name);
  process.kill(pid, 'SIGKILL');
  return pid;
};

const untilReplaced = (name: ServiceName, dead: number) =>
  until(`${name} is back`, async () => (await product.pidOf(name)) !== dead);

const untilRunning = (guest: ApiClient, taskId: string) =>
  until('the picture is being worked on', async () => (await guest.task(taskId)).progress > 0.05);

const untilFinal = (guest: ApiClient, taskId: string) =>
  until(
    'the task has ended',
    async () => {
      // 503 while dependencies are down.
      const task = await guest.task(taskId).catch(() => null);
      return task && isFinal(task.status) ? task : null;
    },
    { deadlineMs: 200_000 },
  );

describe('concurrent guests', () => {
  it('have places in the queue and private tasks, which all complete', async () => {
    // Others wait until it is cancelled.
    const first = await ApiClient.createGuest(product.url);
    const blocking = await first.submit(await blurredPortrait(2000));
    await until('the first picture is being enhanced', async () => (await first.task(blocking)).queueWaitNum === 0);
    const guests = await Promise.all(Array.from({ length: GUESTS }, () => ApiClient.createGuest(product.url)));
    const taskIds = await Promise.all(guests.map((guest) => guest.submit(small)));
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
});

describe('when a process is killed while a picture is enhanced', () => {
  it('finishes once after the worker was killed', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(large);
    await untilRunning(guest, taskId);
    await untilReplaced('worker', await kill('worker'));
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    const files = await readdir(join(product.dataFolder, 'media/results', taskId), { recursive: true });
    expect(files.filter((file) => file.endsWith('master.png'))).toHaveLength(1);
  });

  it('completes accepted tasks when Redis is killed and restarts empty', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const [running, waiting] = [await guest.submit(large), await guest.submit(small)];
    await untilRunning(guest, running);
    // Memory and append-only file are gone.
    const killed = await product.pidOf('redis');
    await rm(join(product.dataFolder, 'redis'), { recursive: true, force: true });
    process.kill(killed, 'SIGKILL');
    const accepted = await guest.submit(small);
    await untilReplaced('redis', killed);
    for (const taskId of [running, waiting, accepted]) {
      const task = await untilFinal(guest, taskId);
      expect(task.status).toBe('completed');
      expect(task.result.outputs).toHaveLength(1);
    }
  });

  it('completes accepted tasks when PostgreSQL is killed', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(small);
    await untilReplaced('postgres', await kill('postgres'));
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });

  it('completes accepted tasks when the api is killed', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(small);
    await untilReplaced('api', await kill('api'));
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });

  it('resumes an upload at its byte when the api is killed', async () => {
    const { page, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    const network = await slowUploads(page, megabytes(4));
    const buffer = enlargeJpeg(small, megabytes(10));
    await page.getByLabel('Choose a photo').setInputFiles({ name: 'coast.jpg', mimeType: 'image/jpeg', buffer });
    await page.waitForFunction(() => Number(document.querySelector('progress')?.value) >= 0.5);
    await untilReplaced('api', await kill('api'));
    await page.waitForURL(/\/result\?taskId=/);
    expect(network.patches[0]).toBe(0);
    expect(network.patches.at(-1)).toBeGreaterThan(megabytes(3));
    await close();
  });
});
