import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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
const CLIENT = fileURLToPath(new URL('../../../client/', import.meta.url));
const EXAMPLE_ORIGIN = 'https://clearframe.example';

let folder: string;
let key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-guide-'));
  const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
  await subscribe(account, 'business');
  ({ key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} }));
  await mkdir(join(folder, 'bin'));
  const cli = `#!/bin/sh\nexec node ${join(CLIENT, 'src/cli/main.ts')} "$@"\n`;
  await writeFile(join(folder, 'bin/clearframe'), cli, { mode: 0o755 });
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'photo.jpg'), await blurredFace());
  await writeFile(join(folder, 'video.mp4'), await createClip());
});
afterAll(() => rm(folder, { recursive: true }));

/** As a reader would, with the product's address in place of the example. Needs bash, curl, jq and Python. */
async function runSnippet(name: string): Promise<string> {
  const text = (await readFile(join(SNIPPETS, name), 'utf8')).replaceAll(EXAMPLE_ORIGIN, product.url);
  const [command, ...args] = await commandFor(name, text);
  const { stdout } = await run(command, args, {
    cwd: folder,
    env: {
      PATH: `${folder}/bin:${dirname(process.execPath)}:${process.env.PATH}`,
      CLEARFRAME_API_KEY: key,
      PYTHONPATH: join(CLIENT, 'python'),
    },
  });
  return stdout;
}

/** The clients run from their sources, which readers have as packages. */
async function commandFor(name: string, text: string): Promise<[string, ...string[]]> {
  if (name.endsWith('.py')) return ['python3', '-c', text];
  if (!name.endsWith('.ts')) return ['bash', '-euo', 'pipefail', '-c', text];
  const script = join(folder, name);
  await writeFile(script, text.replace('@clearframe/client', pathToFileURL(join(CLIENT, 'src/index.ts')).href));
  return [process.execPath, script];
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
  'enhance.ts': isPicture('better.png', 'png'),
  'enhance.py': isPicture('better.png', 'png'),
  'enhance.cli': isPicture('better.png', 'png'),
  'options.ts': isPicture('better.jpg', 'jpeg'),
  'options.py': isPicture('better.jpg', 'jpeg'),
  'bytes.sh': isPicture('better.jpg', 'jpeg'),
  'options.sh': isPicture('better.jpg', 'jpeg'),
  'poll.sh': isPicture('better.png', 'png'),
  'faces.sh': async (output) => Array.isArray(JSON.parse(output).faces),
  'retry.sh': async () => typeof (await jsonIn('task.json')).task_id === 'string',
  'analyze.sh': async (output) => 'suggested_pipeline' in JSON.parse(output),
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
