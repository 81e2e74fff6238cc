import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { retryNow, runScheduled } from '../../test/support/scheduled.js';
import { request, send } from '../../test/support/support-requests.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { createApp } from '../app/create-app.js';

const CREATE = 'POST /api/v2/tickets';
const FIND = 'GET /api/v2/tickets';
const DELETE = 'DELETE /api/v2/tickets/{id}';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ ZENDESK_SOURCE_FIELD: '4711' });
});
afterAll(() => api.stop());
afterEach(() => api.sandbox.supportFaults.clear());

const ticketsOf = async (requestId: string) =>
  (await api.sandbox.tickets()).filter(({ content }) => content.external_id === requestId);

async function sent(changes: object = {}): Promise<string> {
  const { body } = await send(api, request(changes), { visitor: await api.guest() }).expect(201);
  return body.ticket_id;
}

interface Work {
  readonly attempts: number;
  readonly reason: string | null;
  /** Seconds until the next attempt. */
  readonly waits: number;
  readonly set_aside_at: Date | null;
}

const attempted = (requestId: string, isIt: (work: Work) => boolean) =>
  until(async () => {
    const [row] = await api.sql<Work>(
      `SELECT attempts, reason, set_aside_at, extract(epoch FROM next_attempt_at - now())::int AS waits
       FROM work_attempts WHERE kind = 'support.deliver' AND subject = $1`,
      [requestId],
    );
    return row && isIt(row) ? row : null;
  }, 'the attempt');

const isSent = async (requestId: string) => {
  const rows = await api.sql('SELECT FROM support_requests WHERE id = $1 AND sent_at IS NOT NULL', [requestId]);
  return rows.length === 1;
};

const delivered = (requestId: string) =>
  until(async () => {
    await retryNow(api);
    return isSent(requestId);
  }, 'the delivery');

describe('delivery to Zendesk', () => {
  it('creates a ticket of plain text with what agents need', async () => {
    const guest = await api.guest();
    const { body } = await send(api, request({ source: 'Error page / 500' }), { visitor: guest }).expect(201);
    const { web_user_id: userId } = await guest.me();
    await delivered(body.ticket_id);
    const [ticket, ...others] = await ticketsOf(body.ticket_id);
    expect(others).toEqual([]);
    expect(ticket?.content).toEqual({
      subject: 'My photo is blurred',
      comment: {
        body: [
          'It was taken in 1843.\nCan you help?\n\n--',
          'Source: Error page / 500',
          'Device: Desktop, macOS',
          'Browser: Firefox 140',
          'Event: 5f0f3b0e-req',
          `User: ${userId} (guest)`,
          `Request: ${body.ticket_id}`,
        ].join('\n'),
      },
      requester: { name: 'Ada Lovelace', email: 'ada@example.com' },
      external_id: body.ticket_id,
      tags: ['clearframe', 'plan_guest', 'source_error_page_500'],
      custom_fields: [{ id: 4711, value: 'Error page / 500' }],
    });
  });

  it('shows the ticket on the page of the sandbox, as text', async () => {
    const id = await sent({ subject: '<b>Bold</b> & true' });
    await delivered(id);
    const page = await api.http.get('/api/sandbox/pages/tickets').expect(200);
    expect(page.text).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; true');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('waits while Zendesk is down', async () => {
    api.sandbox.supportFaults.add({ operation: '*', kind: 'drop', times: null });
    const id = await sent();
    await attempted(id, ({ reason }) => reason !== null);
    api.sandbox.supportFaults.clear();
    api.sandbox.supportFaults.add({ operation: CREATE, kind: 'error', status: 502, times: 1 });
    await retryNow(api);
    await attempted(id, ({ reason }) => reason?.includes('502') === true);
    await delivered(id);
    expect(await ticketsOf(id)).toHaveLength(1);
  });

  it('does not let a visitor wait for Zendesk', async () => {
    const slow = api.sandbox.supportFaults.holdNextResponse(CREATE);
    const id = await sent();
    await slow.reached;
    expect(await isSent(id)).toBe(false);
    slow.release();
    await delivered(id);
  });

  it.each([FIND, CREATE])('waits as long as Zendesk says when %s is limited', async (operation) => {
    api.sandbox.supportFaults.add({ operation, kind: 'error', status: 429, times: 1 });
    const id = await sent();
    // Not a failure.
    await attempted(id, ({ attempts, reason, waits }) => attempts === 0 && reason === null && waits > 10);
    await delivered(id);
    expect(await ticketsOf(id)).toHaveLength(1);
  });

  it('creates one ticket when the response is lost', async () => {
    api.sandbox.supportFaults.add({ operation: CREATE, kind: 'drop_after', times: 1 });
    const id = await sent();
    await attempted(id, ({ reason }) => reason !== null);
    expect(await isSent(id)).toBe(false);
    expect(await ticketsOf(id)).toHaveLength(1);
    await delivered(id);
    expect(await ticketsOf(id)).toHaveLength(1);
  });

  it('sets aside what Zendesk rejects permanently, and nothing else', async () => {
    api.sandbox.supportFaults.add({ operation: CREATE, kind: 'error', status: 422, times: 1 });
    const rejected = await sent();
    await attempted(rejected, ({ reason, set_aside_at: at }) => at !== null && reason?.includes('422') === true);
    await delivered(await sent());
    expect(await isSent(rejected)).toBe(false);
  });

  it('retries while the credentials are wrong, which are no fault of the request', async () => {
    api.sandbox.supportFaults.add({ operation: '*', kind: 'error', status: 401, times: 1 });
    const id = await sent();
    await attempted(id, ({ reason, set_aside_at: at }) => at === null && reason?.includes('401') === true);
    await delivered(id);
  });
});

describe('deletion at Zendesk', () => {
  const deletedAtDesk = (requestId: string) =>
    until(async () => {
      await api.sql(`UPDATE support_deletions SET created_at = created_at - interval '11 minutes'`);
      await retryNow(api);
      await runScheduled(api, 'support.delete');
      const pending = await api.sql('SELECT FROM support_deletions WHERE request_id = $1', [requestId]);
      return pending.length === 0;
    }, 'the deletion');

  it('follows the erasure of an account, of a guest’s requests from its address, too', async () => {
    const email = newEmail();
    const member = await api.member({ email });
    const own = await send(api, request(), { visitor: member }).expect(201);
    const before = await sent({ email: email.toUpperCase() });
    const foreign = await sent({ email: newEmail() });
    const ids: string[] = [own.body.ticket_id, before];
    for (const id of [...ids, foreign]) await delivered(id);
    await member.delete('/users/@me').expect(204);
    expect(await api.sql('SELECT id FROM support_requests WHERE id = ANY ($1)', [[...ids, foreign]])).toEqual([
      { id: foreign },
    ]);
    await runScheduled(api, 'support.delete');
    for (const id of ids) expect(await ticketsOf(id)).toHaveLength(1);
    api.sandbox.supportFaults.add({ operation: DELETE, kind: 'error', status: 503, times: 1 });
    for (const id of ids) {
      await deletedAtDesk(id);
      expect(await ticketsOf(id)).toEqual([]);
    }
    expect(await ticketsOf(foreign)).toHaveLength(1);
  });

  it('finds a ticket that was being created during the erasure', async () => {
    const member = await api.member({ email: newEmail() });
    const slow = api.sandbox.supportFaults.holdNextResponse(CREATE);
    const { body } = await send(api, request(), { visitor: member }).expect(201);
    await slow.reached;
    await member.delete('/users/@me').expect(204);
    slow.release();
    expect(await ticketsOf(body.ticket_id)).toHaveLength(1);
    await deletedAtDesk(body.ticket_id);
    expect(await ticketsOf(body.ticket_id)).toEqual([]);
  });

  it('follows a year', async () => {
    const [old, recent] = [await sent(), await sent()];
    for (const id of [old, recent]) await delivered(id);
    await api.sql(`UPDATE support_requests SET created_at = now() - interval '366 days' WHERE id = $1`, [old]);
    await runScheduled(api, 'retention.support-requests');
    await deletedAtDesk(old);
    expect(await ticketsOf(old)).toEqual([]);
    expect(await ticketsOf(recent)).toHaveLength(1);
  });
});

it.each([
  ['ZENDESK_SUBDOMAIN', { ZENDESK_API_URL: undefined }],
  ['ZENDESK_SUBDOMAIN', { ZENDESK_API_URL: undefined, ZENDESK_SUBDOMAIN: 'evil.example/' }],
  ['ZENDESK_EMAIL', { ZENDESK_EMAIL: undefined }],
  ['ZENDESK_API_TOKEN', { ZENDESK_API_TOKEN: undefined }],
  ['ZENDESK_SOURCE_FIELD', { ZENDESK_SOURCE_FIELD: 'source' }],
])('the boot fails when %s is unusable', async (variable, change) => {
  await expect(createApp({ ...api.environment, ...change })).rejects.toThrow(`${variable}: `);
});
