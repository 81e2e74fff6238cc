import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { smallPicture } from '../support/payments/checkout.ts';
import { type Product, startProduct } from '../support/product/product.ts';
import { until } from '../support/until.ts';
import { untilFinal } from './faults.ts';

const HOOK = fileURLToPath(new URL('./kill-at-step.mjs', import.meta.url));

/** The launcher gives up on a service that crashes five times a minute: each product's worker is killed four times. */
describe.each([
  [['fetch', 'probe', 'decode', 'enhance']],
  [['encode', 'store', 'before the report', 'after the report']],
])('a picture whose worker is killed', (steps) => {
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
    const before = await product.pidOf('worker');
    await writeFile(killAt, step);
    const guest = await ApiClient.createGuest(product.url);
    const taskId = await guest.submit(await smallPicture());
    await until('the worker is killed', async () => !(await isArmed()));
    const task = await untilFinal(guest, taskId);
    expect(task).toMatchObject({ status: 'completed', errorCode: null });
    expect(task.result.outputs).toHaveLength(1);
    const files = await readdir(join(product.dataFolder, 'media/results', taskId), { recursive: true });
    expect(files.filter((file) => file.endsWith('master.png'))).toHaveLength(1);
    expect(await product.pidOf('worker')).not.toBe(before);
  });
});
