import { isFinal, type Task } from '@clearframe/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Guest } from '../support/guest.ts';
import { blurredPortrait } from '../support/portrait.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

const GUESTS = 10;
let product: Product;
let picture: Buffer;

beforeAll(async () => {
  [product, picture] = await Promise.all([startProduct(), blurredPortrait(300)]);
});
afterAll(() => product?.stop());

/** No two that wait share a place, and nobody is further back than there are people. */
function expectSanePlaces(tasks: readonly Task[]): void {
  const places = tasks.map(({ queueWaitNum }) => queueWaitNum).filter((place) => place !== null && place > 0);
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(0, ...places.map(Number))).toBeLessThanOrEqual(GUESTS);
}

it('serves ten guests at once: each knows its place, every task ends, nobody sees another one', async () => {
  const guests = await Promise.all(Array.from({ length: GUESTS }, () => Guest.arrive(product.url)));
  const taskIds = await Promise.all(guests.map((guest) => guest.submit(picture)));
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
