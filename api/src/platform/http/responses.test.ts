import { connect } from 'node:net';
import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('every response', () => {
  it.each(['12345678', 'a-sane_ID-0123456789'])("contains the caller's well-formed request id: %s", async (id) => {
    const { headers, body } = await api.http.get('/nothing').set('X-Request-Id', id).expect(404);
    expect(headers['x-request-id']).toBe(id);
    expect(body.request_id).toBe(id);
  });

  it.each(['short', 'x'.repeat(65), 'with space', 'new\tline1', '<script>alert(1)</script>', '{"a":"b"}'])(
    'contains a new id instead of %s',
    async (id) => {
      const { headers, body } = await api.http.get('/nothing').set('X-Request-Id', id).expect(404);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(body.request_id).toBe(headers['x-request-id']);
    },
  );

  it.each([
    '/nothing',
    `${BASE_PATH}/nothing`,
    '/%',
    `${BASE_PATH}/tasks/%zz`,
    '/api/openapi.txt',
    `/${'x'.repeat(3000)}`,
  ])('for an unknown path is a 404 problem: %s', async (path) => {
    const { body, headers } = await api.http.get(path).expect(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(headers['x-request-id']).toBe(body.request_id);
    expect(body).toEqual({
      type: 'urn:clearframe:error:request.not_found',
      title: expect.any(String),
      status: 404,
      error_code: 'request.not_found',
      error_description: expect.any(String),
      request_id: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(path);
  });

  it.each([
    ['delete', '/users', 'OPTIONS, POST'],
    ['patch', '/users/@me?a=b', 'DELETE, GET, HEAD, OPTIONS'],
    ['put', '/tasks/00000000-0000-4000-8000-000000000000', 'GET, HEAD, OPTIONS'],
    ['get', '/secret-menu/check', 'OPTIONS, POST'],
  ] as const)('for another method is a 405 problem with the methods: %s %s', async (method, path, allowed) => {
    const { body, headers } = await api.http[method](`${BASE_PATH}${path}`).expect(405);
    expect([body.error_code, headers.allow]).toEqual(['request.method_not_allowed', allowed]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    const options = await api.http.options(`${BASE_PATH}${path}`).expect(204);
    expect(options.headers.allow).toBe(allowed);
  });

  it.each(['/users/%40me', '/users/%40me?a=%40'])('to another spelling is the same: %s', async (path) => {
    const visitor = await api.guest();
    expect((await visitor.get(path).expect(200)).body).toEqual(await visitor.me());
  });

  it('to OPTIONS for an unknown path is a 404 problem', async () => {
    await api.http.options(`${BASE_PATH}/nothing`).expect(404);
  });

  it('that asks for a token names its scheme', async () => {
    const { headers } = await api.http.get(`${BASE_PATH}/users/@me`).expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('for an internal error reveals nothing', async () => {
    const visitor = await api.guest();
    await api.sql('ALTER TABLE tasks RENAME TO tasks_away');
    const { body } = await visitor.get('/tasks/00000000-0000-4000-8000-000000000000').expect(500);
    await api.sql('ALTER TABLE tasks_away RENAME TO tasks');
    expect(body).toEqual({
      type: 'urn:clearframe:error:service.internal',
      title: 'Something went wrong on our side',
      status: 500,
      error_code: 'service.internal',
      error_description: 'Something went wrong on our side.',
      request_id: expect.any(String),
    });
  });

  it("hides the server's implementation", async () => {
    const { headers } = await api.http.get('/healthz').expect(200);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('a body', () => {
  const login = `${BASE_PATH}/users/login`;
  const nested = (depth: number) => `{"firebase_id_token":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  /** A client that sends a content type with every request. */
  const send = (path: string, body: string | Buffer, type = 'application/json') =>
    fetch(`${api.url}${path}`, { method: 'POST', headers: { 'content-type': type, 'idempotency-key': 'one' }, body });
  const answerTo = async (response: Response) => {
    const { error_code } = (await response.json()) as { error_code: string };
    return [response.status, error_code, response.headers.get('content-type')];
  };
  const problem = (status: number, code: string) => [status, code, 'application/problem+json'];

  it.each([
    ['not UTF-8', Buffer.from('{"firebase_id_token":"\xff"}', 'latin1')],
    ['nested too deeply', nested(100_000)],
    ['not an object', 'null'],
    ['truncated', '{"firebase_id_token":'],
    ['polluting prototypes', '{"__proto__":{"is_free":true}}'],
  ])('that is %s is malformed', async (_what, body) => {
    expect(await answerTo(await send(login, body))).toEqual(problem(400, 'request.malformed'));
  });

  it('may contain brackets in strings, and unknown names', async () => {
    const body = JSON.stringify({ firebase_id_token: `\\"${'['.repeat(1000)}`, a: [[[{}]]] });
    expect(await answerTo(await send(login, body))).toEqual(problem(401, 'users.identity_rejected'));
  });

  it('of another type is rejected', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      const response = await send(login, 'firebase_id_token=x', type);
      expect(await answerTo(response)).toEqual(problem(415, 'request.unsupported_media_type'));
    }
  });

  it('that is too large is read to its end, so that the client gets the error', async () => {
    const response = await send(login, Buffer.alloc(1_000_001, ' '));
    expect(response.headers.get('connection')).not.toBe('close');
    expect(await answerTo(response)).toEqual(problem(413, 'request.too_large'));
  });

  it('may be empty when none is needed, whatever its type', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      expect((await send(`${BASE_PATH}/users`, '', type)).status).toBe(201);
    }
    expect(await answerTo(await send(login, ''))).toEqual(problem(422, 'request.invalid'));
  });

  it.each(['a\0b', '\ud800'])("must not contain text that PostgreSQL can't store: %j", async (text) => {
    const member = await api.member();
    const { body } = await member.post('/stripe/payment_intents', { price_id: text }).expect(422);
    expect(Object.keys(body.details)).toEqual(['price_id']);
    await member.get('/stripe/past-subscriptions?starting_after=a%00b').expect(422);
    await member.put('/stripe/payment_intents/a%00b').expect(404);
  });
});

describe('an invalid request', () => {
  it.each([
    ['not HTTP', 'HELLO\r\n\r\n'],
    ['oversized headers', `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`],
  ])('gets a problem response, too: %s', async (_what, text) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(text);
    const response = Buffer.concat(await socket.toArray()).toString();
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json\r\n/);
    expect(response).toContain('"error_code":"request.malformed"');
  });
});

describe('for operators', () => {
  it('liveness returns a status', async () => {
    await api.http.get('/healthz').expect(200, { status: 'ok' });
  });

  it('metrics are Prometheus text by route, not by path', async () => {
    await (await api.guest()).get('/tasks/00000000-0000-4000-8000-000000000000').expect(404);
    const { text, headers } = await api.http.get('/metrics').expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toContain(`route="${BASE_PATH}/tasks/:taskId",status="404"`);
    expect(text).not.toContain('00000000-0000-4000-8000-000000000000');
  });
});
