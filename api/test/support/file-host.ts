import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** A host of files on 127.0.0.1; each path is served by what a test says, and 404 otherwise. */
export function useFileHost() {
  const paths = new Map<string, RequestListener>();
  const server = createServer((request, reply) => {
    const serve = paths.get(URL.parse(request.url ?? '', 'http://host')?.pathname ?? '');
    if (serve) serve(request, reply);
    else reply.writeHead(404).end();
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => paths.clear());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const addressOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    addressOf,
    endAll: () => server.closeAllConnections(),
    /** @returns the address */
    serve(path: string, content: Buffer | RequestListener): string {
      paths.set(path, typeof content === 'function' ? content : (_request, reply) => reply.end(content));
      return addressOf(path);
    },
  };
}
