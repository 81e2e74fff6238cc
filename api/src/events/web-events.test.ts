import { randomUUID } from 'node:crypto';
import { eventRoutes, pathOf, type WebEvent } from '@clearframe/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';

const PATH = pathOf(eventRoutes.recordEvents);
const TIME = '2026-11-23T12:00:00.000Z';

let api: TestApi;
let member: Visitor;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  member = await api.member();
});

const shown = (changes: Partial<WebEvent> = {}): WebEvent => ({
  id: randomUUID(),
  timestamp: TIME,
  type: 'UserAction',
  kind: 'paywall',
  data: { action: 'shown', previousAction: 'watermark', priceIds: ['one', 'two'] },
  info: { path: '/redeem', backend_id: 'oracle-1' },
  ...changes,
});

const IDS = { anonymous_id: 'a-1', tracking_user_id: 'u-1', web_onboarding_local_storage_id: 'from-the-funnel' };

const send = (events: readonly unknown[], { token = member.token as string | null, headers = {} } = {}) => {
  const request = api.http.post(PATH).set(headers).send({ events });
  return token ? request.auth(token, { type: 'bearer' }) : request;
};

const stored = (ids: readonly string[]) =>
  api.sql<{
    user_id: string | null;
    client_id: string | null;
    client_version: string | null;
    is_tester: boolean;
    ids: object;
  }>('SELECT user_id, client_id, client_version, is_tester, ids FROM web_events WHERE id = ANY($1)', [ids]);

const exportedOf = async (visitor: Visitor) => (await visitor.get('/users/@me/export').expect(200)).body.events;

describe('usage events', () => {
  it('of a caller are stored once with their data, and exported', async () => {
    const event = shown();
    const { body } = await send([event, shown({ kind: 'settings' })]).expect(202);
    expect(body).toEqual({ accepted: 2 });
    await send([event]).expect(202);
    const events = await exportedOf(member);
    expect(events).toHaveLength(2);
    expect(events).toContainEqual({
      event_id: event.id,
      client_id: null,
      ids: {},
      type: 'UserAction',
      subtype: null,
      kind: 'paywall',
      data: event.data,
      info: event.info,
      occurred_at: TIME,
    });
  });

  it('of sessions keep their subtype', async () => {
    const headers = { 'x-client-id': 'browser-1' };
    await send([shown({ type: 'Session', subtype: 'session_start', kind: 'session', data: {} })], { headers }).expect(
      202,
    );
    expect(await exportedOf(member)).toMatchObject([
      { type: 'Session', subtype: 'session_start', client_id: 'browser-1' },
    ]);
  });

  it('store the client’s id and version, and whether it is a tester', async () => {
    const event = shown();
    const headers = { 'x-client-id': 'browser-1', 'x-client-version': '1.143.0', 'x-tester': 'true' };
    await send([event], { token: null, headers }).expect(202);
    expect(await stored([event.id])).toEqual([
      { user_id: null, client_id: 'browser-1', client_version: '1.143.0', is_tester: true, ids: {} },
    ]);
  });

  it('keep the identifiers that the client stores, by name', async () => {
    await send([shown({ ids: IDS })]).expect(202);
    expect(await exportedOf(member)).toMatchObject([{ ids: IDS }]);
    await send([{ ...shown(), ids: { anonymous_id: 'x'.repeat(201) } }]).expect(422);
  });

  it('are stored without ids when they are anonymous, whatever the client sends', async () => {
    const event = shown({ ids: IDS });
    await send([event], { headers: { 'x-anonymous': 'true', 'x-client-id': 'browser-1' } }).expect(202);
    expect(await stored([event.id])).toMatchObject([{ user_id: null, client_id: null, ids: {} }]);
    expect(await exportedOf(member)).toEqual([]);
  });

  it('of a guest move to the account', async () => {
    const guest = await api.guest();
    await send([shown()], { token: guest.token }).expect(202);
    const account = await Visitor.login(api.http, { email: newEmail() }, guest);
    expect(await exportedOf(account)).toHaveLength(1);
  });

  it('are at most 100 a call, of known types, with a time and an id of their own', async () => {
    await send(Array.from({ length: 101 }, () => shown())).expect(422);
    await send([]).expect(422);
    for (const changes of [{ id: '' }, { timestamp: 'today' }, { type: 'Guess' }, { kind: '' }, { data: 'text' }])
      await send([{ ...shown(), ...changes }]).expect(422);
    await send(Array.from({ length: 100 }, () => shown())).expect(202);
  });

  it('of a session need no kind and no data, and have any id and offset', async () => {
    const session = { id: '1', timestamp: '2026-11-23T13:00:00+01:00', type: 'Session', subtype: 'session_start' };
    for (let times = 0; times < 2; times += 1) await send([session]).expect(202);
    await send([{ ...session, id: '2', type: 'TechnicalEvent', subtype: null, kind: null, data: null }]).expect(202);
    const other = await api.member();
    await send([session], { token: other.token }).expect(202);
    expect(await exportedOf(other)).toHaveLength(1);
    const events = await exportedOf(member);
    expect(events.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['TechnicalEvent', 'session_start']);
    for (const event of events) expect(event).toMatchObject({ data: {}, info: {}, occurred_at: TIME });
  });

  it('are deleted after 180 days', async () => {
    const [old, recent] = [shown(), shown()];
    await send([old, recent]).expect(202);
    await api.sql(`UPDATE web_events SET created_at = now() - interval '181 days' WHERE id = $1`, [old.id]);
    await runScheduled(api, 'retention.web-events');
    expect(await stored([old.id, recent.id])).toHaveLength(1);
  });
});
