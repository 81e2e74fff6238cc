import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinal, type Task } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Guest } from '../support/guest.ts';
import { blurredPortrait } from '../support/portrait.ts';
import { type Product, type ServiceName, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

let product: Product;
/** One that takes long enough to be caught at it. */
let large: Buffer;
let small: Buffer;
/** Guests at once. */
const GUESTS = 10;

beforeAll(async () => {
  [product, large, small] = await Promise.all([startProduct(), blurredPortrait(640), blurredPortrait(160)]);
});
afterAll(() => product?.stop());

const kill = async (name: ServiceName): Promise<number> => {
  const pid = await product.pidOf(name);
  process.kill(pid, 'SIGKILL');
  return pid;
};

const untilReplaced = (name: ServiceName, dead: number) =>
  until(`${name} is back`, async () => (await product.pidOf(name)) !== dead);

const untilRunning = (guest: Guest, taskId: string) =>
  until('the picture is being worked on', async () => (await guest.task(taskId)).progress > 0.05);

const untilFinal = (guest: Guest, taskId: string) =>
  until(
    'the task has ended',
    async () => {
      // While the api's own dependencies are away it may say so; that is not the end of the task.
      const task = await guest.task(taskId).catch(() => null);
      return task && isFinal(task.status) ? task : null;
    },
    200_000,
  );

/** Places of waiting tasks are unique and at most the number of guests. */
function expectSanePlaces(tasks: readonly Task[]): void {
  const places = tasks.map(({ queueWaitNum }) => queueWaitNum).filter((place) => place !== null && place > 0);
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(0, ...places.map(Number))).toBeLessThanOrEqual(GUESTS);
}

describe('a crowd', () => {
  it('serves ten guests at once: each knows its place, every task ends, and none sees another', async () => {
    const guests = await Promise.all(Array.from({ length: GUESTS }, () => Guest.arrive(product.url)));
    const taskIds = await Promise.all(guests.map((guest) => guest.submit(small)));
    const lowest = new Map<string, number>();
    const look = () => Promise.all(guests.map((guest, index) => guest.task(taskIds[index] ?? '')));
    const ended = await until('all tasks have ended', async () => {
      const tasks = await look();
      // Ten answers are not one moment: places are compared where the first and the last answer agree.
      const again = await look();
      const steady = tasks.filter((task, index) => task.queueWaitNum === again[index]?.queueWaitNum);
      expectSanePlaces(steady);
      for (const { taskId, queueWaitNum } of tasks) {
        if (queueWaitNum === null) continue;
        expect(queueWaitNum).toBeLessThanOrEqual(lowest.get(taskId) ?? GUESTS);
        lowest.set(taskId, queueWaitNum);
      }
      return tasks.every(({ status }) => isFinal(status)) ? tasks : null;
    });
    expect(ended.map(({ status }) => status)).toEqual(new Array(GUESTS).fill('completed'));
    const [first, second] = guests;
    await expect(first?.task(taskIds[1] ?? '')).rejects.toMatchObject({
      status: 404,
      problem: { error_code: 'tasks.not_found' },
    });
    await expect(second?.task(taskIds[1] ?? '')).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('when something dies in the middle of a picture', () => {
  it('finishes once after the worker was killed', async () => {
    const guest = await Guest.arrive(product.url);
    const taskId = await guest.submit(large);
    await untilRunning(guest, taskId);
    await untilReplaced('worker', await kill('worker'));
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    const runs = await readdir(join(product.dataFolder, 'media/results', taskId));
    expect(runs).toHaveLength(1);
  });

  it('loses no accepted task when Redis is killed and comes back empty', async () => {
    const guest = await Guest.arrive(product.url);
    const [running, waiting] = [await guest.submit(large), await guest.submit(small)];
    await untilRunning(guest, running);
    // Nothing of it is left: neither memory nor the append-only file.
    const dead = await product.pidOf('redis');
    await rm(join(product.dataFolder, 'redis'), { recursive: true, force: true });
    process.kill(dead, 'SIGKILL');
    const accepted = await guest.submit(small);
    await untilReplaced('redis', dead);
    for (const taskId of [running, waiting, accepted]) {
      const task = await untilFinal(guest, taskId);
      expect(task.status).toBe('completed');
      expect(task.result.outputs).toHaveLength(1);
    }
  });

  it('answers in time and loses nothing when PostgreSQL is killed', async () => {
    const guest = await Guest.arrive(product.url);
    const taskId = await guest.submit(small);
    await untilReplaced('postgres', await kill('postgres'));
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });

  it('finishes what was accepted before the api was killed', async () => {
    const guest = await Guest.arrive(product.url);
    const taskId = await guest.submit(small);
    await untilReplaced('api', await kill('api'));
    expect(await untilFinal(guest, taskId)).toMatchObject({ status: 'completed' });
  });
});
