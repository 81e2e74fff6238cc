import { pathOf, ROUTES } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { picture } from '../../../test/support/pictures.js';
import { put, type Visitor } from '../../../test/support/visitor.js';

const ID = '00000000-0000-4000-8000-000000000000';
const ORIGIN = 'https://shop.example';
let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
});
afterAll(() => api.stop());

type Headers = Readonly<Record<string, string | undefined>>;

const corsIn = (headers: Headers) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

async function preflight(url: string, method: string): Promise<Headers> {
  const answer = await fetch(new URL(url, api.url), {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': method },
  });
  expect(answer.status).toBe(204);
  return Object.fromEntries(answer.headers);
}

async function send(url: string, method: string, body?: Buffer): Promise<Response> {
  const init = { method, headers: { origin: ORIGIN }, ...(body && { body: new Uint8Array(body) }) };
  const answer = await fetch(new URL(url, api.url), init);
  await answer.arrayBuffer();
  return answer;
}

describe('a script of another origin', () => {
  it.each<[string, string, number, () => Promise<string>]>([
    ['enhances', 'POST', 401, async () => '/api/v1/web/enhance'],
    ['analyzes', 'POST', 401, async () => '/api/v1/web/analyze'],
    ['reads the description', 'GET', 200, async () => '/api/openapi.json'],
    ['reads a picture', 'GET', 200, async () => (await visitor.task((await visitor.process()).task_id)).input_url],
    ['sends a file', 'PUT', 415, async () => (await visitor.announce()).upload_url],
    [
      'continues an upload',
      'PATCH',
      400,
      async () => (await visitor.announce({ size_bytes: 9_000_000 })).resumable_url ?? '',
    ],
  ])('%s, without credentials, and reads errors', async (_what, method, status, address) => {
    const url = await address();
    const allowed = await preflight(url, method);
    expect(allowed).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining(method),
      'access-control-allow-headers': expect.stringContaining('authorization, content-type'),
    });
    expect(allowed['access-control-allow-headers']).not.toContain('x-api-key');
    const answer = await send(url, method, method === 'GET' ? undefined : Buffer.from('none'));
    const headers = Object.fromEntries(answer.headers);
    expect([answer.status, corsIn(headers).sort()]).toEqual([
      status,
      ['access-control-allow-origin', 'access-control-expose-headers'],
    ]);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']).toContain('x-clearframe-task-id');
  });

  it('sends a file whole', async () => {
    expect((await put(await visitor.announce(), picture.jpeg())).status).toBe(200);
  });

  it.each([
    ...ROUTES.filter((route) => !('cors' in route)).map((route) => [route.method, pathOf(route)] as const),
    ['GET', '/api/internal/openapi.json'] as const,
  ])('may not call %s %s', async (method, path) => {
    const url = path.replace(':provider', 'stripe').replace(/:\w+/g, ID);
    // Files below `/media` share their path's preflight.
    if (!path.startsWith('/media/')) expect(corsIn(await preflight(url, method))).toEqual([]);
    expect(corsIn(Object.fromEntries((await send(url, method)).headers))).toEqual([]);
  });
});
