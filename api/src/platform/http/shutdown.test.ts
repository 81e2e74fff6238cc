import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { until } from '../../../test/support/until.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});

async function openConnection(): Promise<Socket> {
  const accepted = once(api.app.getHttpServer(), 'connection');
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await accepted;
  return socket;
}

it('completes the requests it has begun, and closes their connections', async () => {
  const socket = await openConnection();
  const response = text(socket);
  const begun = once(api.app.getHttpServer(), 'request');
  const head = ['POST /api/v1/web/users HTTP/1.1', 'host: api', 'content-type: application/json', 'content-length: 2'];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  await begun;
  const stopped = api.stop();
  await until(() => !api.app.getHttpServer().listening, 'the shutdown');
  socket.write('}');
  expect(await response).toMatch(/^HTTP\/1\.1 201 .*\r\nconnection: close\r\n/is);
  await stopped;
});

it('does not wait for connections without a request', async () => {
  const closed = once(await openConnection(), 'close');
  await api.stop();
  await closed;
});
