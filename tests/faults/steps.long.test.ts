import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { taskRoutes } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { type Product, startProduct } from '../support/product/product.ts';
import { until } from '../support/until.ts';
import { untilFinal } from './faults.ts';

const HOOK = fileURLToPath(new URL('./kill-at-step.mjs', import.meta.url));

/** The launcher gives up on a service that crashes five times a minute: each product's one is killed four times. */
describe.each([
  ['worker', ['fetch', 'probe', 'decode', 'enhance']],
  ['worker', ['encode', 'store', 'before the report', 'after the report']],
  [
    'api',
    [
      'before the publication',
      'after the publication',
      'before the commit of its outcome',
      'after the commit of its outcome',
    ],
  ],
] as const)('a picture whose %s is killed', (service, steps) => {
  let product: Product;
  let folder: string;
  let killAt: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clearframe-kills-'));
    killAt = join(folder, 'kill-at');
    product = await startProduct({ NODE_OPTIONS: `--import=${HOOK}`, KILL_AT: killAt });
  });
  afterAll(async () => {
    await product?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const isArmed = () =>
    readFile(killAt).then(
      () => true,
      () => false,
    );

  it.each(steps)('%s: completes once', async (step) => {
    const before = await product.pidOf(service);
    await writeFile(killAt, step);
    const guest = await ApiClient.createGuest(product.url);
    const { bulkUploadId, taskId } = await guest.upload(await smallPicture());
    // The `api` may be killed while it answers: accepted or not, the request may be repeated.
    const process = () => guest.call(taskRoutes.processBulkUpload, { params: { bulkUploadId } }).catch(() => null);
    await process();
    await until(`the ${service} is killed`, async () => !(await isArmed()));
    await until('processing is accepted', process);
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    const files = await readdir(join(product.dataFolder, 'media/results', taskId), { recursive: true });
    expect(files.filter((file) => file.endsWith('master.png'))).toHaveLength(1);
    expect(await product.pidOf(service)).not.toBe(before);
  });
});
