import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { taskRoutes } from '@clearframe/contract';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { environmentOf, withDatabase } from '../support/product/database.ts';
import { ProcessKiller } from '../support/product/process-killer.ts';
import { FEW_PICTURES, type Product, type ServiceName, startProduct } from '../support/product/product.ts';
import { until } from '../support/product/until.ts';
import { untilFinal } from './faults.ts';
import type { Kill } from './steps.ts';

const HOOK = fileURLToPath(new URL('./kill-at-step.mjs', import.meta.url));

/**
 * What is killed at each step. A picture needs both stores, but neither of `web` and the sandbox, which are killed at the same
 * time as a store. Redis restarts empty.
 */
const killsAt = (runner: 'worker' | 'api') =>
  [[runner], ['postgres', 'sandbox'], ['redis', 'web']] as const satisfies ServiceName[][];

/** Results then have the size of their original by default. */
async function removeCap(product: Product): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, (client) =>
    client.query(`INSERT INTO flag_overrides VALUES ('removeCap', 'true', now())`),
  );
  await until('the flag is seen', async () => {
    const guest = await ApiClient.createGuest(product.url);
    const { taskId } = await guest.upload(await smallPicture());
    return (await guest.task(taskId)).aiPipeline.outputSize === 'original';
  });
}

/** Longer than a result is worked on. */
const largePicture = (): Promise<Buffer> =>
  sharp({ create: { width: 5000, height: 2000, channels: 3, background: '#5b7a99' } })
    .jpeg()
    .toBuffer();

/** The products run beside each other. */
const STEPS_OF_PRODUCTS = [
  [
    ['worker', 'fetch'],
    ['worker', 'probe'],
    ['worker', 'decode'],
    ['api', 'before the publication'],
  ],
  [
    ['worker', 'enhance'],
    ['worker', 'encode'],
    ['worker', 'store'],
    ['api', 'after the publication'],
  ],
  [
    ['worker', 'before the report'],
    ['api', 'before the commit of its outcome'],
    ['worker', 'after the report'],
    ['api', 'after the commit of its outcome'],
  ],
] as const;
/** Of a result in the size of its original. */
const LARGE_STEPS = [
  [
    ['worker', 'compose'],
    ['worker', 'encode'],
  ],
] as const;

// Most of the time of a test is spent waiting for a restart and for a lock to expire.
describe.concurrent.each([
  ...STEPS_OF_PRODUCTS.map((steps) => ({ steps, isLarge: false })),
  ...LARGE_STEPS.map((steps) => ({ steps, isLarge: true })),
])('a picture (large: $isLarge)', ({ steps, isLarge }) => {
  let product: Product;
  let killer: ProcessKiller;
  let folder: string;
  let killAt: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clearframe-kills-'));
    killAt = join(folder, 'kill-at');
    product = await startProduct({ ...FEW_PICTURES, NODE_OPTIONS: `--import=${HOOK}`, KILL_AT: killAt });
    killer = new ProcessKiller(product);
    if (isLarge) await removeCap(product);
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  // Else a test that failed would kill the processes of the next.
  afterEach(() => rm(killAt, { force: true }));

  const isArmed = () =>
    readFile(killAt).then(
      () => true,
      () => false,
    );

  /** Returns the processes that will be killed. */
  async function arm(step: string, names: readonly ServiceName[]): Promise<ReadonlyMap<ServiceName, number>> {
    const pids = new Map<ServiceName, number>();
    for (const name of names) pids.set(name, await product.pidOf(name));
    const kill: Kill = {
      step,
      pids: [...pids.values()],
      folders: names.includes('redis') ? [join(product.dataFolder, 'redis')] : [],
    };
    // The hook must not read half of it.
    await writeFile(`${killAt}.new`, JSON.stringify(kill));
    await rename(`${killAt}.new`, killAt);
    return pids;
  }

  describe.sequential.each(
    steps.flatMap(([runner, step]) => killsAt(runner).map((names) => ({ step, names, killed: names.join(' and ') }))),
  )('whose $killed is killed at: $step', ({ step, names }) => {
    it('completes once', async () => {
      const dead = await arm(step, names);
      const picture = await (isLarge ? largePicture() : smallPicture());
      // The picture of the test before may reach the step once more, and the kill interrupts this upload.
      const { guest, bulkUploadId, taskId } = await until('a picture is uploaded', async () => {
        const guest = await ApiClient.createGuest(product.url).catch(() => null);
        const upload = await guest?.upload(picture).catch(() => null);
        return guest && upload ? { guest, ...upload } : null;
      });
      // The `api` or its database may be killed while it answers: accepted or not, the request may be repeated.
      const process = () => guest.call(taskRoutes.processBulkUpload, { params: { bulkUploadId } }).catch(() => null);
      await process();
      await until(`${names.join(' and ')} is killed`, async () => !(await isArmed()));
      for (const [name, pid] of dead) await killer.untilReplaced(name, pid);
      await until('processing is accepted', process);
      const task = await untilFinal(guest, taskId);
      expect(task).toMatchObject({ status: 'completed', errorCode: null });
      expect(task.result.outputs).toHaveLength(1);
      const files = await readdir(join(product.dataFolder, 'media/results', taskId), { recursive: true });
      expect(files.filter((file) => file.endsWith('master.png'))).toHaveLength(1);
    });
  });
});
