import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to connections, one of which could take a port before it is listened on. */
const RANGE = { first: 12_000, count: 20_000 } as const;
const ATTEMPTS = 100;

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = RANGE.first + Math.floor(Math.random() * RANGE.count);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no free port found');
}
