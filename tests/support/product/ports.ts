import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that Linux gives to connections, one of which could take a port before it is listened on. */
const RANGE = { first: 12_000, count: 20_000 } as const;

const randomPort = (): number => RANGE.first + Math.floor(Math.random() * RANGE.count);

/** Null if the port is taken. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => null,
  );
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = randomPort();
    const server = servers.has(port) ? null : await listen(port);
    if (server) servers.set(port, server);
  }
  await Promise.all([...servers.values()].map((server) => once(server.close(), 'close')));
  return [...servers.keys()];
}
