import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

export interface PortRange {
  readonly first: number;
  readonly count: number;
}

/** Below the ports that Linux gives to connections, one of which could take a port before it is listened on. */
const RANGE: PortRange = { first: 12_000, count: 20_000 };

/** Null if the address is taken. */
async function listen(options: ListenOptions): Promise<Server | null> {
  const server = createServer().listen(options);
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

/**
 * Whether this process now owns the port among all processes that take ports here. The claim is an abstract socket, which
 * Linux removes when the process ends, in whatever way.
 */
async function claim(port: number): Promise<boolean> {
  const socket = await listen({ path: `\0clearframe-test-port-${port}` });
  socket?.unref();
  return socket !== null;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen({ host: '127.0.0.1', port });
  if (!server) return false;
  await once(server.close(), 'close');
  return true;
}

/**
 * Different ports on which nothing listens and which no other test process gets until this one ends. Linux only.
 * @throws Error when the range has too few
 */
export async function freePorts(count: number, { first, count: length } = RANGE): Promise<number[]> {
  const ports: number[] = [];
  const start = Math.floor(Math.random() * length);
  for (let step = 0; step < length && ports.length < count; step++) {
    const port = first + ((start + step) % length);
    if ((await claim(port)) && (await isFree(port))) ports.push(port);
  }
  if (ports.length < count) throw new Error(`only ${ports.length} of ${count} ports are free`);
  return ports;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
