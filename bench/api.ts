import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { API_KEY_HEADER, BASE_PATH, inMilliseconds, pluginKeyRoutes } from '@clearframe/contract';
import { freePort } from '../runtime/test/ports.ts';
import { ApiClient } from '../tests/support/api-client.ts';
import { smallPicture } from '../tests/support/payments/checkout.ts';
import { subscribe } from '../tests/support/payments/purchases.ts';
import { environmentOf, withDatabase } from '../tests/support/product/database.ts';
import { type Product, startProduct } from '../tests/support/product/product.ts';
import { until } from '../tests/support/product/until.ts';
import type { BareRoute, BareServerOptions } from './support/bare-server.ts';
import { publish, quantile, table } from './support/results.ts';
import { tapWire } from './support/wire-tap.ts';

const API = fileURLToPath(new URL('../api/dist/main.js', import.meta.url));
const BARE_SERVER = fileURLToPath(new URL('support/bare-server.ts', import.meta.url));

const CONNECTIONS = 16;
/** Api and bare server take turns, so that both see the same machine. */
const ROUNDS = 5;
const ROUND_MS = inMilliseconds.seconds(Number(process.env.BENCH_SECONDS ?? 4));
const TASKS = 20;
const BAR = 0.5;
const NO_LIMIT = '1000000000';

interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly status: number;
}

interface Caller {
  readonly key: string;
  readonly picture: Uint8Array<ArrayBuffer>;
}

/** Without background work, whose statements are no route's. */
async function startApi(product: Product, databaseUrl: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [API], {
    env: {
      ...(await environmentOf(product, 'api')),
      DATABASE_URL: databaseUrl,
      API_PORT: String(port),
      API_ROLE: 'http',
      LIMIT_READS_PER_MINUTE: NO_LIMIT,
      LIMIT_WRITES_PER_MINUTE: NO_LIMIT,
      QUEUE_MAX_PER_USER: NO_LIMIT,
      QUEUE_MAX_WAITING: NO_LIMIT,
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the api answers', async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok);
  return { url, process: child };
}

async function startBareServer(options: BareServerOptions): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(BARE_SERVER, { serialization: 'advanced' });
  child.send(options);
  const [url] = await once(child, 'message');
  return { url: String(url), process: child };
}

function formOf(picture: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('image', new File([picture], 'photo.jpg', { type: 'image/jpeg' }));
  return form;
}

async function request(url: string, { method, path, status }: Route, { key, picture }: Caller): Promise<string> {
  const isPicture = method === 'POST';
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { [API_KEY_HEADER]: key },
    body: isPicture ? formOf(picture) : undefined,
  });
  const body = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${body}`);
  return body;
}

/** Milliseconds of each request of a round. */
async function measure(url: string, route: Route, caller: Caller): Promise<number[]> {
  const samples: number[] = [];
  const end = performance.now() + ROUND_MS;
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      await request(url, route, caller);
      samples.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return samples;
}

/** What each route asks PostgreSQL, read on the wire from one request, after others that fill caches. */
async function capture(product: Product, databaseUrl: string, routes: readonly Route[], caller: Caller) {
  const tap = await tapWire(databaseUrl);
  const api = await startApi(product, tap.url);
  const captured: BareRoute[] = [];
  for (const route of routes) {
    for (let warmUp = 0; warmUp < 3; warmUp += 1) await request(api.url, route, caller);
    tap.take();
    const body = await request(api.url, route, caller);
    captured.push({
      ...route,
      path: route.path.split('?', 1)[0] ?? '',
      statements: tap.take(),
      answer: { status: route.status, body },
    });
  }
  await stop(api.process);
  await tap.stop();
  return captured;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(inMilliseconds.seconds(10)) });
  child.kill('SIGTERM');
  await ended;
}

/** Requests a second of the routes that servers call most, beside bare Fastify routes that run the same statements. */
export async function benchApi(): Promise<void> {
  const [load = 0] = loadavg();
  const product = await startProduct();
  const worker = await product.pidOf('worker');
  try {
    const { DATABASE_URL = '' } = await environmentOf(product, 'api');
    const account = await ApiClient.logIn(product.url, 'servers@example.com');
    await subscribe(account, 'business');
    const { key, id: keyId } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} });
    const caller = { key, picture: new Uint8Array(await smallPicture()) };
    const enhance: Route = { name: 'POST /enhance', method: 'POST', path: `${BASE_PATH}/enhance`, status: 202 };
    const taskIds: string[] = [];
    for (let n = 0; n < TASKS; n += 1) taskIds.push(JSON.parse(await request(product.url, enhance, caller)).task_id);
    for (const taskId of taskIds)
      await until('the pictures are done', async () => (await account.task(taskId)).status === 'completed');
    // Pictures that only arrive: the worker would compete for the machine.
    process.kill(worker, 'SIGSTOP');
    const routes: readonly Route[] = [
      { name: 'GET /tasks/{id}', method: 'GET', path: `${BASE_PATH}/tasks/${taskIds[0]}`, status: 200 },
      { name: 'GET /tasks', method: 'GET', path: `${BASE_PATH}/tasks?limit=${TASKS}`, status: 200 },
      { name: 'GET /users/@me', method: 'GET', path: `${BASE_PATH}/users/@me`, status: 200 },
      enhance,
    ];
    const bareRoutes = await capture(product, DATABASE_URL, routes, caller);
    const userId = await withDatabase(DATABASE_URL, async (client) => {
      const { rows } = await client.query('SELECT user_id FROM plugin_keys WHERE id = $1', [keyId]);
      return String(rows[0]?.user_id);
    });
    const api = await startApi(product, DATABASE_URL);
    const bare = await startBareServer({ databaseUrl: DATABASE_URL, routes: bareRoutes, knownIds: [keyId, userId] });
    const rows: (string | number)[][] = [];
    for (const [index, route] of routes.entries()) {
      const samples: Record<'api' | 'bare', number[]> = { api: [], bare: [] };
      for (const url of [api.url, bare.url]) await measure(url, route, caller);
      for (let round = 0; round < ROUNDS; round += 1) {
        samples.api.push(...(await measure(api.url, route, caller)));
        samples.bare.push(...(await measure(bare.url, route, caller)));
      }
      const perSecond = (own: readonly number[]) => own.length / ((ROUNDS * ROUND_MS) / 1000);
      rows.push([
        `\`${route.name}\``,
        bareRoutes[index]?.statements.length ?? 0,
        perSecond(samples.api).toFixed(0),
        quantile(samples.api, 0.99).toFixed(1),
        perSecond(samples.bare).toFixed(0),
        quantile(samples.bare, 0.99).toFixed(1),
        (perSecond(samples.api) / perSecond(samples.bare)).toFixed(2),
      ]);
    }
    await Promise.all([stop(api.process), stop(bare.process)]);
    await publish(
      'api',
      'Requests of servers',
      [
        `${CONNECTIONS} connections with one key, ${ROUNDS} rounds of ${ROUND_MS / 1000} s each, in turn with a bare Fastify route that receives the same form, runs the same statements and answers with the same body. Pictures of ${caller.picture.length} bytes; the worker is stopped. Load of the machine before: ${load.toFixed(1)}. Above its number of cores only the ratios count. The client is one process: where it is the limit of both, the ratio is near 1.`,
        '',
        table([['route', 'statements', 'a second', '99 % ms', 'bare, a second', 'bare, 99 % ms', 'ratio'], ...rows]),
        '',
        `Bar: a ratio of at least ${BAR}.`,
      ].join('\n'),
    );
  } finally {
    process.kill(worker, 'SIGCONT');
    await product.stop();
  }
}
