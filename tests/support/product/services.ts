import { execFile, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, freePorts } from '../../../runtime/test/ports.ts';
import { environmentOf } from './database.ts';
import type { Product } from './product.ts';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SERVICES = {
  api: { main: 'api/dist/main.js', health: '/readyz' },
  web: { main: 'web/server/main.ts', health: '/healthz' },
} as const;
const READY_MS = 170_000;

/** Another process of a running product, on the same stores. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** The product's api does it. */
const NO_BACKGROUND_WORK = { API_ROLE: 'http' } as const;

async function startService(
  product: Omit<Product, 'stop'>,
  name: keyof typeof SERVICES,
  port: number,
  environment: Environment,
): Promise<Service> {
  const { main, health } = SERVICES[name];
  const child = spawn(process.execPath, [main], {
    cwd: ROOT,
    env: { ...(await environmentOf(product, name)), ...environment },
    // The service ends with this channel, also when this process is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk: Buffer) => (printed += chunk));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const url = `http://localhost:${port}`;
  try {
    await until(
      `${name} is ready`,
      async () => {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${printed}`);
        return (await fetch(`${url}${health}`).catch(() => null))?.ok;
      },
      { deadlineMs: READY_MS },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** Another `web` for the product's `api`, or the one at `API_URL`. Cheaper than another product. */
export async function startWeb(product: Omit<Product, 'stop'>, environment: Environment): Promise<Service> {
  const port = await freePort();
  const own = { WEB_PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
  return startService(product, 'web', port, { ...own, ...environment });
}

/** Another `api` on the product's stores and worker, with pages of the product's `web`. */
export async function startApi(product: Omit<Product, 'stop'>, environment: Environment): Promise<Service> {
  const port = await freePort();
  return startService(product, 'api', port, { API_PORT: String(port), ...NO_BACKGROUND_WORK, ...environment });
}

/** Another `api` and `web` on the product's stores and worker. */
export async function startApiAndWeb(product: Omit<Product, 'stop'>, environment: Environment): Promise<Service> {
  const [port = 0, apiPort = 0] = await freePorts(2);
  const own = {
    WEB_PORT: String(port),
    API_PORT: String(apiPort),
    PUBLIC_URL: `http://localhost:${port}`,
    API_URL: `http://127.0.0.1:${apiPort}`,
    ...NO_BACKGROUND_WORK,
    ...environment,
  };
  const [api, web] = await Promise.all([
    startService(product, 'api', apiPort, own),
    startService(product, 'web', port, own),
  ]);
  return { url: web.url, stop: async () => void (await Promise.all([web.stop(), api.stop()])) };
}

interface CuttableProxy {
  readonly url: string;
  /** Cuts connections and refuses new ones. */
  cut(): Promise<void>;
}

export async function startProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.once('error', () => other.destroy());
      socket.once('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const OPS = fileURLToPath(new URL('../../../ops/ops.mjs', import.meta.url));

/** Runs `pnpm ops` on a product's database. @returns its output */
export async function runOps({ dataFolder }: Pick<Product, 'dataFolder'>, ...args: string[]): Promise<string> {
  const { DATABASE_URL: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [OPS, ...args], {
    env: { ...env, CLEARFRAME_DATA: dataFolder },
  });
  return stdout;
}
