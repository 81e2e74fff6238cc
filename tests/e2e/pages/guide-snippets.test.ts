import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { pluginKeyRoutes, webhookRoutes } from '@clearframe/contract';
import openapiTypescript, { astToString } from 'openapi-typescript';
import sharp from 'sharp';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { RUNS } from '../../support/browser/javascript.ts';
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
let account: ApiClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-guide-'));
  account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
  await subscribe(account, 'business');
  ({ key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} }));
  await mkdir(join(folder, 'bin'));
  const cli = `#!/bin/sh\nexec node ${join(CLIENT, 'src/cli/main.ts')} "$@"\n`;
  await writeFile(join(folder, 'bin/clearframe'), cli, { mode: 0o755 });
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const photo = await blurredFace();
  await writeFile(join(folder, 'photo.jpg'), photo);
  await sharp(photo).threshold(128).toColourspace('b-w').png().toFile(join(folder, 'mask.png'));
  await mkdir(join(folder, 'photos'));
  await writeFile(join(folder, 'photos/photo.jpg'), await blurredFace(200));
  await writeFile(join(folder, 'video.mp4'), await createClip());
});
afterAll(() => rm(folder, { recursive: true }));

/** As a reader would, with the product's address in place of the example. Needs bash, curl, jq and Python. */
async function runSnippet(name: string): Promise<string> {
  const text = (await readFile(join(SNIPPETS, name), 'utf8')).replaceAll(EXAMPLE_ORIGIN, product.url);
  const [command, ...args] = await commandFor(name, text);
  const { stdout } = await run(command, args, { cwd: folder, env: environment() });
  return stdout;
}

const environment = () => ({
  PATH: `${folder}/bin:${dirname(process.execPath)}:${process.env.PATH}`,
  CLEARFRAME_API_KEY: key,
  PYTHONPATH: join(CLIENT, 'python'),
});

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

const isFaceReport = async (output: string) => Array.isArray(JSON.parse(output).faces);
/** Damage of the worker's own network. */
const isAnalysis = async (output: string) => JSON.parse(output).damage.area === 0;
const isToken = async (output: string) => JSON.parse(output).token.startsWith('cfu_');
const areJpegs = async () => (await isPicture('better-0.jpg', 'jpeg')()) && (await isPicture('better-1.jpg', 'jpeg')());
const isVideo = async () => (await readFile(join(folder, 'better.mp4'))).includes('ftyp');

type IsDone = (output: string) => Promise<boolean>;

/** Whether a snippet has left what the guide says; those that keep the worker busy are last. */
const SNIPPET_RESULTS: Readonly<Record<string, IsDone>> = {
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
  'mask.sh': isPicture('masked.png', 'png'),
  'retry.sh': async () => typeof (await jsonIn('task.json')).task_id === 'string',
  'analyze.sh': isAnalysis,
  'batch.sh': async () => (await jsonIn('batch.json')).task_list.length === 2,
  'token.sh': isToken,
  'address.sh': isPicture('better.jpg', 'jpeg'),
  'changes.sh': isPicture('changes.png', 'png'),
  'video.sh': async () => (await jsonIn('video.json')).status === 'processing',
};

/** The same calls by the clients, in the long run. */
const CLIENT_RESULTS: Readonly<Record<string, IsDone>> = {
  'account.ts': async (output) => JSON.parse(output).role === 'business',
  'account.py': async (output) => JSON.parse(output).role === 'business',
  'mask.ts': isPicture('masked.png', 'png'),
  'mask.py': isPicture('masked.png', 'png'),
  'mask.cli': isPicture('masked.png', 'png'),
  'changes.ts': isPicture('changes.png', 'png'),
  'changes.py': isPicture('changes.png', 'png'),
  'account.cli': async (output) => output.includes('plan business'),
  'options.cli': isPicture('better.jpg', 'jpeg'),
  'bytes.ts': isPicture('better.jpg', 'jpeg'),
  'bytes.py': isPicture('better.jpg', 'jpeg'),
  'bytes.cli': isPicture('better.jpg', 'jpeg'),
  'address.ts': isPicture('better.jpg', 'jpeg'),
  'address.py': isPicture('better.jpg', 'jpeg'),
  'address.cli': isPicture('better.jpg', 'jpeg'),
  'poll.ts': isPicture('better.png', 'png'),
  'poll.py': isPicture('better.png', 'png'),
  'poll.cli': isPicture('better.png', 'png'),
  'retry.ts': isPicture('better.png', 'png'),
  'retry.py': isPicture('better.png', 'png'),
  'retry.cli': isPicture('better.png', 'png'),
  'faces.ts': isFaceReport,
  'faces.py': isFaceReport,
  'faces.cli': async (output) => Array.isArray(JSON.parse(output).faces),
  'analyze.ts': isAnalysis,
  'analyze.py': isAnalysis,
  'analyze.cli': isAnalysis,
  'token.ts': isToken,
  'token.py': isToken,
  'batch.ts': areJpegs,
  'batch.py': areJpegs,
  'batch.cli': isPicture('better/photo.jpg', 'jpeg'),
  'video.ts': async (output) => typeof JSON.parse(output).status === 'string',
  'video.py': isVideo,
  'video.cli': isVideo,
};

/** Servers, which don't end by themselves. */
const RECEIVERS = ['webhook.ts', 'webhook.py'];

it('every snippet of the guide is run', async () => {
  const run = [...Object.keys({ ...SNIPPET_RESULTS, ...CLIENT_RESULTS }), ...RECEIVERS];
  expect((await readdir(SNIPPETS)).sort()).toEqual(run.sort());
});

const RUN = { ...SNIPPET_RESULTS, ...(RUNS.long && CLIENT_RESULTS) };

it.each(Object.entries(RUN))('%s does what the guide says', async (name, isDone) => {
  for (const file of ['better.jpg', 'better.png', 'better.mp4', 'masked.png', 'changes.png'])
    await rm(join(folder, file), { force: true });
  await until(`${name} has its result`, async () => isDone(await runSnippet(name)));
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

it.each(RECEIVERS)('%s accepts what the product sends, and nothing else', async (name) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/events`;
  const { id: endpointId, secret } = await account.call(webhookRoutes.createWebhookEndpoint, { body: { url } });
  const [command, ...args] = await commandFor(name, await readFile(join(SNIPPETS, name), 'utf8'));
  const env = { ...environment(), WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  receiver.stdout.on('data', (text: Buffer) => {
    printed += text;
  });
  try {
    const forged = () => fetch(url, { method: 'POST', body: '{"type":"task.completed"}' }).catch(() => null);
    await until('forged messages are refused', async () => (await forged())?.status === 401);
    const { messageId } = await account.call(webhookRoutes.testWebhookEndpoint, { params: { endpointId } });
    await until('the event is accepted', async () => printed !== '');
    expect(printed).toBe(`${messageId} endpoint.test\n`);
    await until('the delivery is completed', async () => {
      const { data } = await account.call(webhookRoutes.listWebhookDeliveries, { query: {} });
      return data.some((delivery) => delivery.messageId === messageId && delivery.status === 'delivered');
    });
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
    await account.call(webhookRoutes.deleteWebhookEndpoint, { params: { endpointId } });
  }
});

/** Paths that a snippet calls, with `*` for variables. */
const pathsIn = (snippet: string): string[] =>
  [...snippet.matchAll(/"(?:\$api|https:\/\/clearframe\.example\/api\/v1\/web)(\/[^"?]*)/g)].map(([, path = '']) =>
    path.replace(/\$(?:\w+|\([^)]*\))/g, '*'),
  );

it('a generated client makes every call of the guide', async () => {
  const project = join(folder, 'generated');
  await mkdir(project);
  for (const file of ['photo.jpg', 'video.mp4']) await copyFile(join(folder, file), join(project, file));
  await copyFile(new URL('generated-client/calls.ts', import.meta.url), join(project, 'calls.ts'));
  await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(project, 'node_modules'));
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
  const description = await (await fetch(`${product.url}/api/openapi.json`)).json();
  await writeFile(
    join(project, 'paths.ts'),
    astToString(await openapiTypescript(description, { transform: asBlob, defaultNonNullable: false })),
  );
  expect(compile(join(project, 'calls.ts'))).toEqual([]);
  const { stdout } = await run(process.execPath, ['calls.ts'], {
    cwd: project,
    env: { PATH: process.env.PATH, CLEARFRAME_URL: product.url, CLEARFRAME_API_KEY: key },
  });
  const made: string[] = JSON.parse(stdout);
  expect(made.filter((call) => !/ 20\d$/.test(call))).toEqual([]);
  const paths = made.map((call) =>
    call
      .split(' ')[1]
      ?.replace('/api/v1/web', '')
      .replace(/\{\w+\}/g, '*'),
  );
  const snippets = (await readdir(SNIPPETS)).filter((name) => name.endsWith('.sh'));
  for (const name of snippets) {
    const called = pathsIn(await readFile(join(SNIPPETS, name), 'utf8'));
    expect(called.length, name).toBeGreaterThan(0);
    expect(paths, name).toEqual(expect.arrayContaining(called));
  }
});

/** Bytes as `Blob`, as the generator's manual says. */
const asBlob = ({ format }: { format?: string }) =>
  format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined;

function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    skipLibCheck: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
