import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pluginKeyRoutes } from '@clearframe/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { createClip } from '../../support/clip.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { blurredFace } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';

const product = sharedProduct();
const run = promisify(execFile);
const SNIPPETS = fileURLToPath(new URL('../../../web/app/features/developers/guide/snippets/', import.meta.url));
const EXAMPLE_ORIGIN = 'https://clearframe.example';

let folder: string;
let key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-guide-'));
  const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
  await subscribe(account, 'business');
  ({ key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} }));
  await writeFile(join(folder, 'photo.jpg'), await blurredFace());
  await writeFile(join(folder, 'video.mp4'), await createClip());
});
afterAll(() => rm(folder, { recursive: true }));

/** As a reader would, with the product's address in place of the example. Needs bash, curl and jq. */
async function runSnippet(name: string): Promise<string> {
  const text = await readFile(join(SNIPPETS, name), 'utf8');
  const script = text.replaceAll(EXAMPLE_ORIGIN, product.url);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH, CLEARFRAME_API_KEY: key },
  });
  return stdout;
}

const jsonIn = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

/** The answer is the task instead of the picture where a busy worker takes longer than the wait. */
const isPicture = (file: string, format: string) => async () =>
  (
    await sharp(join(folder, file))
      .metadata()
      .catch(() => null)
  )?.format === format;

/** Whether a snippet has left what the guide says; those that keep the worker busy are last. */
const SNIPPET_RESULTS: Readonly<Record<string, (output: string) => Promise<boolean>>> = {
  'account.sh': async (output) => JSON.parse(output).role === 'business',
  'enhance.sh': isPicture('better.png', 'png'),
  'bytes.sh': isPicture('better.jpg', 'jpeg'),
  'options.sh': isPicture('better.jpg', 'jpeg'),
  'poll.sh': isPicture('better.png', 'png'),
  'faces.sh': async (output) => Array.isArray(JSON.parse(output).faces),
  'retry.sh': async () => typeof (await jsonIn('task.json')).task_id === 'string',
  'batch.sh': async () => (await jsonIn('batch.json')).task_list.length === 2,
  'video.sh': async () => (await jsonIn('video.json')).status === 'processing',
};

it('every snippet of the guide is run', async () => {
  expect((await readdir(SNIPPETS)).sort()).toEqual(Object.keys(SNIPPET_RESULTS).sort());
});

it.each(Object.entries(SNIPPET_RESULTS))('%s does what the guide says', async (name, isDone) => {
  await rm(join(folder, 'better.jpg'), { force: true });
  await rm(join(folder, 'better.png'), { force: true });
  await until(`${name} has its result`, async () => isDone(await runSnippet(name)));
});
