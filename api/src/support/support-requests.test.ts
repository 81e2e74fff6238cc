import { randomUUID } from 'node:crypto';
import { pathOf, supportRoutes } from '@clearframe/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { request, send, TICKETS } from '../../test/support/support-requests.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  // Requests stay as they were stored.
  api = await startApi({ API_ROLE: 'http' });
});
afterAll(() => api.stop());

interface Row {
  readonly user_id: string | null;
  readonly role: string | null;
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly source: string;
  readonly device: string;
}

async function stored(ticketId: string): Promise<Row> {
  const [row] = await api.sql<Row>('SELECT * FROM support_requests WHERE id = $1', [ticketId]);
  if (!row) throw new Error('the request is not stored');
  return row;
}

describe('a support request', () => {
  it.each([
    ['no session', async () => null, null],
    ['a guest', () => api.guest(), 'guest'],
    ['a member', () => api.member(), 'base'],
    ['a business customer', () => api.business(), 'business'],
  ])('of %s is stored with the account and its plan', async (_name, visit, role) => {
    const visitor = await visit();
    const { body } = await send(api, request(), { visitor }).expect(201);
    expect(body).toEqual({ ticket_id: expect.stringMatching(/^[\da-f-]{36}$/) });
    const { web_user_id: userId = null } = (await visitor?.me()) ?? {};
    expect(await stored(body.ticket_id)).toMatchObject({ ...request(), user_id: userId, role });
  });

  it('is stored once when it is repeated with its Idempotency-Key', async () => {
    const visitor = await api.guest();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send(api, request(), { visitor, headers }).expect(201);
    const second = await send(api, request(), { visitor, headers }).expect(201);
    expect(second.body).toEqual(first.body);
    const { web_user_id: userId } = await visitor.me();
    expect(await api.sql('SELECT FROM support_requests WHERE user_id = $1', [userId])).toHaveLength(1);
    await send(api, request({ body: 'Another' }), { visitor, headers }).expect(422);
  });

  it.each(['name', 'email', 'subject', 'body'] as const)('without %s is refused', async (field) => {
    for (const value of ['', ' \n ', undefined]) {
      const { body } = await send(api, request({ [field]: value })).expect(422);
      expect(Object.keys(body.details)).toEqual([field]);
    }
  });

  it.each(['ada', 'ada@example', 'ada@example.c', 'ada@.com', 'a da@example.com', `ada@example.${'a'.repeat(64)}`])(
    'of the address %s is refused',
    async (email) => {
      const { body } = await send(api, request({ email })).expect(422);
      expect(body.details).toEqual({ email: 'Please enter a valid email address' });
    },
  );

  it('may be of a certain length only', async () => {
    const lengths = { name: 100, subject: 150, body: 10_000 };
    const text = (more: number) =>
      Object.fromEntries(Object.entries(lengths).map(([field, length]) => [field, 'x'.repeat(length + more)]));
    await send(api, request(text(0))).expect(201);
    const { body } = await send(api, request(text(1))).expect(422);
    expect(Object.keys(body.details)).toEqual(Object.keys(lengths));
  });

  it('has a source of at most 50 characters, without a broken one', async () => {
    const { body } = await send(api, request({ source: '🙂'.repeat(60), device: 'x'.repeat(500) })).expect(201);
    expect(await stored(body.ticket_id)).toMatchObject({ source: '🙂'.repeat(50), device: 'x'.repeat(100) });
    await send(api, { ...request(), source: undefined, device: undefined, browser: undefined }).expect(201);
  });

  it('keeps its text as it is, but for control characters', async () => {
    const { body } = await send(
      api,
      request({
        name: 'Ada\r\nBcc: eve@example.com',
        subject: 'A\u0007 <b>bold</b>\u2028subject',
        body: '\n<script>alert(1)</script>\r\nsecond\tline\u001b[0m\n\n{{x}}\u0000'.replace('\u0000', ''),
      }),
    ).expect(201);
    expect(await stored(body.ticket_id)).toMatchObject({
      name: 'Ada Bcc: eve@example.com',
      subject: 'A  <b>bold</b> subject',
      body: '<script>alert(1)</script>\nsecond\tline[0m\n\n{{x}}',
    });
    await send(api, request({ body: 'a lone surrogate \ud800' })).expect(422);
  });

  it('is refused from bots', async () => {
    const { body } = await send(api, request(), { headers: { 'X-Captcha-Token': 'fail' } }).expect(403);
    expect(body).toMatchObject({ error_code: 'captcha.failed', details: { reasons: ['sandbox_failure'] } });
  });

  it('is accepted from countries without payments', async () => {
    const other = await startApi({ API_ROLE: 'http', BLOCKED_COUNTRIES: 'KP' });
    await send(other, request(), { headers: { 'X-Sandbox-Country': 'KP' } }).expect(201);
    await other.stop();
  });

  it('fails without a support desk', async () => {
    const other = await startApi({ API_ROLE: 'http', ZENDESK_API_URL: undefined, ZENDESK_API_TOKEN: undefined });
    const { body, headers } = await send(other, request()).expect(503);
    expect(headers['retry-after']).toBe('5');
    expect(body).toMatchObject({
      error_code: 'service.not_configured',
      error_description: 'trying to use the support desk, but this service has not been configured',
    });
    await other.stop();
  });
});

describe('the limit of support requests', () => {
  let limited: TestApi;
  beforeAll(async () => {
    limited = await startApi({ API_ROLE: 'http', LIMIT_SUPPORT_PER_HOUR: '2' });
  });
  beforeEach(() => limited.redis.flushdb());
  afterAll(() => limited.stop());
  const from = (address: string, visitor: Visitor | null) =>
    send(limited, request(), {
      visitor,
      headers: {
        'X-Forwarded-For': address,
        'X-Clearframe-Internal': limited.environment.CLEARFRAME_INTERNAL_SECRET ?? '',
      },
    });

  it('applies to an address and all its callers', async () => {
    await from('192.0.2.1', await limited.guest()).expect(201);
    await from('192.0.2.1', null).expect(201);
    const { body, headers } = await from('192.0.2.1', await limited.guest()).expect(429);
    expect(body.error_code).toBe('request.rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await from('192.0.2.2', null).expect(201);
  });

  it('does not count requests that are refused', async () => {
    const visitor = await limited.guest();
    for (const [body, headers, status] of [
      [{ ...request(), email: 'not an address' }, {}, 422],
      [{ ...request(), body: '' }, {}, 422],
      [request(), { 'X-Captcha-Token': 'fail' }, 403],
    ] as const) {
      const refused = await send(limited, body, { visitor, headers }).expect(status);
      expect(refused.headers['x-ratelimit-remaining']).toBe('2');
    }
    await send(limited, request(), { visitor }).expect(201);
    await send(limited, request(), { visitor }).expect(201);
    await send(limited, request(), { visitor }).expect(429);
    await send(limited, { ...request(), email: 'not an address' }, { visitor }).expect(429);
  });

  it('counts many refused requests as writes', async () => {
    const strict = await startApi({ API_ROLE: 'http', LIMIT_WRITES_PER_MINUTE: '2' });
    for (const status of [422, 422, 429]) await send(strict, {}).expect(status);
    await strict.stop();
  });

  it('applies to a user, wherever they are', async () => {
    const member = await limited.member({ email: newEmail() });
    await from('192.0.2.1', member).expect(201);
    await from('192.0.2.2', member).expect(201);
    await from('192.0.2.3', member).expect(429);
  });
});

it('a guest’s support requests move to the account', async () => {
  const guest = await api.guest();
  const { body } = await send(api, request(), { visitor: guest }).expect(201);
  const member = await Visitor.login(api.http, { email: newEmail() }, guest);
  const { body: exported } = await member.get('/users/@me/export').expect(200);
  expect(exported.support_requests).toEqual([
    { ...request(), ticket_id: body.ticket_id, created_at: expect.any(String), sent_at: null },
  ]);
});

it('is part of the contract', () => {
  expect(TICKETS).toBe(pathOf(supportRoutes.createSupportTicket));
});
