import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { closeLingering } from './closing-connections.js';

async function startRefusing(): Promise<number> {
  const server = http.createServer((_request, response) => {
    response.writeHead(413, { connection: 'close', 'content-length': 3 }).end('no\n');
  });
  closeLingering(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it('lets a client that is still sending read the response', async () => {
  const client = connect(await startRefusing(), '127.0.0.1');
  client.write('PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 700000000\r\n\r\n');
  // The answer lies unread until 50 MB are sent: a reset would discard it.
  for (let sent = 0; sent < 50; sent++) {
    if (!client.write(Buffer.alloc(1_000_000))) await once(client, 'drain');
  }
  let text = '';
  for await (const data of client.setEncoding('utf8')) text += data;
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toMatch(/no\n$/);
});

it('closes at once where the request was read', async () => {
  const client = connect(await startRefusing(), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  client.resume();
  await once(client, 'close');
});
