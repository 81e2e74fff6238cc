import { setTimeout as pause } from 'node:timers/promises';
import { isFinal } from '@clearframe/contract';
import { ApiClient } from '../tests/support/api-client.ts';
import { blurredPortrait } from '../tests/support/portrait.ts';
import { startProduct, USUAL_PRIORITY } from '../tests/support/product/product.ts';
import { publish, quantile, table } from './support/results.ts';

const GUESTS = 10;
/** Interval of the result page. */
const POLL_MS = 2_000;

async function pollUntilFinal(guest: ApiClient, taskId: string, samples: number[]): Promise<string> {
  for (;;) {
    const start = performance.now();
    const { status } = await guest.task(taskId);
    samples.push(performance.now() - start);
    if (isFinal(status)) return status;
    await pause(POLL_MS);
  }
}

export async function benchStatus(): Promise<void> {
  const product = await startProduct(USUAL_PRIORITY);
  try {
    const picture = await blurredPortrait(1200);
    const guests = await Promise.all(Array.from({ length: GUESTS }, () => ApiClient.createGuest(product.url)));
    const start = performance.now();
    const taskIds = await Promise.all(guests.map((guest) => guest.submit(picture)));
    const samples: number[] = [];
    const ended = await Promise.all(guests.map((guest, index) => pollUntilFinal(guest, taskIds[index] ?? '', samples)));
    const seconds = (performance.now() - start) / 1000;
    const at = (share: number): string => quantile(samples, share).toFixed(1);
    await publish(
      'status',
      'A status call while the worker is busy',
      [
        `${GUESTS} guests, each polling every 2 s through web; ${ended.filter((status) => status === 'completed').length} of ${GUESTS} completed after ${seconds.toFixed(0)} s.`,
        '',
        table([
          ['calls', 'median ms', '95 % ms', 'slowest ms'],
          [samples.length, at(0.5), at(0.95), at(1)],
        ]),
        '',
        'Bar: every call under 100 ms.',
      ].join('\n'),
    );
  } finally {
    await product.stop();
  }
}
