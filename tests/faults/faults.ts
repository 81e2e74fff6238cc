import { isFinal } from '@clearframe/contract';
import { afterAll, beforeAll } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { blurredPortrait } from '../support/portrait.ts';
import { ProcessKiller } from '../support/product/process-killer.ts';
import { FEW_PICTURES, type Product, startProduct } from '../support/product/product.ts';
import { until } from '../support/product/until.ts';

/** A product of its own, since its processes are killed, and pictures to enhance meanwhile. */
export interface Faults {
  readonly product: Product;
  readonly killer: ProcessKiller;
  /** Restoring its face takes seconds. */
  readonly large: Buffer;
  readonly small: Buffer;
}

/** Set when the first test begins. */
export function useFaults(): Faults {
  const faults = {} as { -readonly [Name in keyof Faults]: Faults[Name] };
  beforeAll(async () => {
    const [product, large, small] = await Promise.all([
      startProduct(FEW_PICTURES),
      blurredPortrait(320),
      smallPicture(),
    ]);
    Object.assign(faults, { product, large, small, killer: new ProcessKiller(product) });
  });
  afterAll(() => faults.product?.stop());
  return faults;
}

export const untilRunning = (guest: ApiClient, taskId: string) =>
  until('the picture is being worked on', async () => (await guest.task(taskId)).progress > 0.05);

export const untilFinal = (guest: ApiClient, taskId: string) =>
  until(
    'the task has ended',
    async () => {
      // 503 while dependencies are down.
      const task = await guest.task(taskId).catch(() => null);
      return task && isFinal(task.status) ? task : null;
    },
    { deadlineMs: 200_000 },
  );
