import { BASE_PATH } from '@clearframe/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { INVALID, KeyClient, OTHER_DEVICE, refusalOf } from '../../test/support/key-client.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';

/** Wrong keys of a network in a minute, and wrong devices of a key. */
const WRONG_KEYS_PER_MINUTE = 30;
const NIL = '00000000-0000-4000-8000-000000000000';
const ANNOUNCED = { image_content_type: 'image/jpeg' };
const TOO_MANY = [429, 'request.rate_limited'];
let api: TestApi;
let owner: Visitor;
let client: Awaited<ReturnType<typeof KeyClient.of>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.redis.flushdb();
  owner = await api.business();
  client = await KeyClient.of(api, owner);
});

const listed = async () => (await owner.get('/plugin-keys').expect(200)).body.data[0];
const announce = (sender: KeyClient) => sender.post('/tasks/bulk-upload', { image_content_type: 'image/jpeg' });
const setFree = async (isFree: boolean) =>
  api.sql('UPDATE users SET is_free = $2 WHERE id = $1', [(await owner.me()).web_user_id, isFree]);

describe('case 30: a plug-in key', () => {
  it('is refused permanently on a second device', async () => {
    await client.on('studio').activate('studio').expect(200);
    const second = client.on('laptop');
    for (const refused of [second, client, client.on('studio, laptop')]) {
      expect(await refusalOf(refused.get('/users/@me'))).toEqual(OTHER_DEVICE);
      expect(await refusalOf(announce(refused))).toEqual(OTHER_DEVICE);
    }
    expect(await refusalOf(second.activate('laptop'))).toEqual(OTHER_DEVICE);
    expect(await listed()).toMatchObject({ device_id: 'studio' });
    await client.on('studio').get('/users/@me').expect(200);
  });

  it('is refused permanently when revoked, also by those who try to activate it', async () => {
    const bound = client.on('studio');
    await bound.activate('studio').expect(200);
    await owner.delete(`/plugin-keys/${client.keyId}`).expect(204);
    for (const refused of [bound.get('/users/@me'), announce(bound), bound.activate('studio')]) {
      expect(await refusalOf(refused)).toEqual(INVALID);
    }
    await KeyClient.of(api, owner);
    expect(await refusalOf(bound.get('/users/@me'))).toEqual(INVALID);
  });
});

describe('a plug-in key without a device', () => {
  it('acts for its owner on every server', async () => {
    const { web_user_id } = await owner.me();
    for (const server of [client, client.on('one'), client.on('another')]) {
      const { body } = await server.get('/users/@me').expect(200);
      expect(body.web_user_id).toBe(web_user_id);
    }
    const { body } = await announce(client).expect(201);
    const [task] = await api.sql('SELECT user_id FROM tasks WHERE id = $1', [body.task_list[0].task_id]);
    expect(task).toEqual({ user_id: web_user_id });
    await client.get('/users/@me/video-limits').expect(200);
    await owner.get(`/tasks/${body.task_list[0].task_id}`).expect(200);
  });

  it('gets the settings of its device, as without a key', async () => {
    const device = { local_storage_id: 'server', device_type: 'server', language: 'en', currency: 'usd' };
    const { body } = await client.post('/settings', device).expect(200);
    const guest = await api.guest();
    expect((await guest.post('/settings', device).expect(200)).body).toEqual(body);
  });

  it('sees nothing of other accounts', async () => {
    const other = await api.business();
    const { task_id } = await other.announce();
    expect(await refusalOf(client.get(`/tasks/${task_id}`))).toEqual([404, 'tasks.not_found']);
  });

  it('is bound to one of two devices that activate it at once', async () => {
    const devices = ['one', 'two', 'three'];
    const responses = await Promise.all(devices.map((device) => client.activate(device)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const winner = devices[responses.findIndex(({ status }) => status === 200)] ?? '';
    expect(await listed()).toMatchObject({ device_id: winner });
    await client.on(winner).get('/users/@me').expect(200);
  });
});

describe('a plug-in key as a bearer token', () => {
  const send = (headers: Record<string, string>) => api.http.get(`${BASE_PATH}/users/@me`).set(headers);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const BROKEN = `cfk_${'a'.repeat(43)}`;

  it('is the same as in the header of keys', async () => {
    const { web_user_id } = await owner.me();
    expect((await send(bearer(client.key)).expect(200)).body.web_user_id).toBe(web_user_id);
    expect((await send({ ...client.headers, ...bearer(client.key) }).expect(200)).body.web_user_id).toBe(web_user_id);
    expect(await refusalOf(send(bearer(BROKEN)))).toEqual(INVALID);
    expect(await refusalOf(send(bearer('cfk_')))).toEqual(INVALID);
  });

  it('is refused where one of two is broken', async () => {
    expect(await refusalOf(send({ ...client.headers, ...bearer(BROKEN) }))).toEqual(INVALID);
    const broken = new KeyClient(api.http, BROKEN);
    expect(await refusalOf(send({ ...broken.headers, ...bearer(client.key) }))).toEqual(INVALID);
  });
});

describe('a refused key', () => {
  const guide = () => `Keys are sent as X-Api-Key; the guide is at ${api.environment.PUBLIC_URL}/developers`;
  const problemOf = async (pending: PromiseLike<{ body: { error_description: string } }>) =>
    (await pending).body.error_description;

  it.each<[string, () => PromiseLike<{ body: { error_description: string } }>, string]>([
    [
      'that is unknown',
      () => new KeyClient(api.http, 'cfk_no').get('/tasks'),
      'The API key is unknown or has been revoked.',
    ],
    ['that is missing', () => api.http.get(`${BASE_PATH}/tasks`), 'A valid access token is required.'],
    ['in place of a session', () => client.post('/plugin-keys'), "This key doesn't permit this request."],
    ['replaced by a session', () => owner.post('/enhance'), 'Only a plug-in key can do this.'],
  ])('%s, is told how a key is sent and where the guide is', async (_which, send, problem) => {
    expect(await problemOf(send())).toBe(`${problem} ${guide()}`);
  });

  it('of a device or plan, too', async () => {
    await client.activate('studio').expect(200);
    expect(await problemOf(client.get('/tasks'))).toContain(guide());
    await setFree(false);
    expect(await problemOf(client.on('studio').get('/tasks'))).toContain(guide());
  });

  it('is not what a session lacks', async () => {
    expect(await problemOf(api.http.get(`${BASE_PATH}/plugin-keys`))).toBe('A valid access token is required.');
  });
});

describe('a request with a plug-in key', () => {
  it.each<[string, () => Promise<{ status: number; body: { error_code?: string; details?: object } }>, string]>([
    ['in the query', async () => client.get('/users/@me?fields=role'), 'fields'],
    [
      'in the body',
      async () => client.post('/tasks/bulk-upload', { ...ANNOUNCED, output_type: 'image/png' }),
      'output_type',
    ],
    [
      'in a list',
      async () => client.post('/tasks/bulk-upload', { input_task_list: [{ ...ANNOUNCED, size: 7 }] }),
      'input_task_list.0.size',
    ],
    ['in camelCase', async () => client.post('/tasks/bulk-upload', { ...ANNOUNCED, fileName: 'a.jpg' }), 'fileName'],
    ['where nothing is read', async () => client.post(`/tasks/${NIL}/cancel`, { force: true }), 'force'],
  ])('has no unknown parameter %s', async (_where, send, name) => {
    const { status, body } = await send();
    expect({ status, ...body }).toMatchObject({ status: 422, error_code: 'request.unknown_parameter' });
    expect(body.details).toEqual({ [name]: 'Unknown name' });
  });

  it('differs in this from one of a session, whose unknown parameters are ignored', async () => {
    await owner.post('/tasks/bulk-upload', { ...ANNOUNCED, output_type: 'image/png' }).expect(201);
  });
});

describe('activating a plug-in key', () => {
  it('answers the same again, and is audited once', async () => {
    const first = await client.activate('studio').expect(200);
    expect(first.body).toMatchObject({ id: client.keyId, device_id: 'studio', prefix: client.key.slice(0, 17) });
    await client.activate('studio').expect(200);
    const entries = await api.sql(`SELECT details FROM audit_entries WHERE action = 'plugin_keys.activate'`);
    expect(entries.filter(({ details }) => details.id === client.keyId)).toHaveLength(1);
  });

  it.each(['', 'two words', 'Gerät', 'x'.repeat(201), 7, null])(
    'is refused with the device id %j',
    async (deviceId) => {
      const { body } = await client.post('/plugin-keys/activate', { device_id: deviceId }).expect(422);
      expect(body.details).toHaveProperty('device_id');
    },
  );

  it('is for keys, not for sessions', async () => {
    const response = owner.post('/plugin-keys/activate', { device_id: 'studio' });
    expect(await refusalOf(response)).toEqual([403, 'plugin_keys.required']);
    expect(await listed()).toMatchObject({ device_id: null });
  });
});

describe('the rights of a plug-in key', () => {
  it("are those of its owner's current plan", async () => {
    await setFree(false);
    for (const refused of [client.get('/users/@me'), announce(client), client.activate('studio')]) {
      expect(await refusalOf(refused)).toEqual([403, 'plugin_keys.not_in_plan']);
    }
    await setFree(true);
    await announce(client).expect(201);
  });

  it('stay while operators issue no more keys', async () => {
    await api.sql(`INSERT INTO flag_overrides VALUES ('psPlugin', 'false', now())`);
    await client.get('/users/@me').expect(200);
    await api.sql(`DELETE FROM flag_overrides`);
  });

  it('end with the account', async () => {
    await owner.delete('/users/@me').expect(204);
    expect(await refusalOf(client.get('/users/@me'))).toEqual(INVALID);
  });

  it('end during a request when the key is revoked: nothing is created', async () => {
    const revoking = new Client({ connectionString: api.environment.DATABASE_URL });
    await revoking.connect();
    try {
      await revoking.query('BEGIN');
      await revoking.query('UPDATE plugin_keys SET revoked_at = now() WHERE id = $1', [client.keyId]);
      const [refusal] = await Promise.all([
        refusalOf(announce(client)),
        (async () => {
          const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND query LIKE '%plugin_keys%FOR SHARE%' AND wait_event_type = 'Lock'`;
          await until(async () => (await api.sql(waiting)).length, 'the request to hold the key');
          await revoking.query('COMMIT');
        })(),
      ]);
      expect(refusal).toEqual(INVALID);
    } finally {
      await revoking.end();
    }
    const { body } = await owner.get('/tasks').expect(200);
    expect(body.data).toEqual([]);
  });
});

describe('the last use of a plug-in key', () => {
  const lastUse = async () => (await listed()).last_used_at;
  const age = (interval: string) =>
    api.sql('UPDATE plugin_keys SET last_used_at = now() - $2::interval WHERE id = $1', [client.keyId, interval]);

  it('is recorded at most once a minute', async () => {
    expect(await lastUse()).toBeNull();
    await client.get('/users/@me').expect(200);
    expect(await lastUse()).not.toBeNull();
    for (const [interval, isRecorded] of [
      ['30 seconds', false],
      ['2 minutes', true],
    ] as const) {
      await age(interval);
      const before = await lastUse();
      await client.get('/users/@me').expect(200);
      expect((await lastUse()) !== before).toBe(isRecorded);
    }
  });

  it('is not that of a refused device', async () => {
    await client.activate('studio').expect(200);
    await age('1 hour');
    const before = await lastUse();
    await client.on('laptop').get('/users/@me').expect(409);
    expect(await lastUse()).toBe(before);
  });
});

describe('wrong plug-in keys', () => {
  const unknown = () => new KeyClient(api.http, `cfk_${'a'.repeat(43)}`);

  it.each(['', 'cfk_', 'cfk_short', `cfk_${'!'.repeat(43)}`, `sk_${'a'.repeat(43)}`, 'x'.repeat(5000)])(
    'are refused: %.20s',
    async (key) => {
      expect(await refusalOf(new KeyClient(api.http, key).get('/users/@me'))).toEqual(INVALID);
    },
  );

  it('are limited for each network, without holding up valid keys', async () => {
    for (let count = 0; count < WRONG_KEYS_PER_MINUTE; count++) {
      expect(await refusalOf(unknown().get('/users/@me'))).toEqual(INVALID);
    }
    const response = await unknown().get('/users/@me');
    expect([response.status, response.body.error_code]).toEqual(TOO_MANY);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    await client.get('/users/@me').expect(200);
  });

  it('are as limited as wrong devices, which can be guessed', async () => {
    await client.activate('studio').expect(200);
    for (let count = 0; count < WRONG_KEYS_PER_MINUTE; count++) {
      expect(await refusalOf(client.on(`guess-${count}`).get('/users/@me'))).toEqual(OTHER_DEVICE);
    }
    expect(await refusalOf(client.on('studio').get('/users/@me'))).toEqual(TOO_MANY);
    await (await KeyClient.of(api, owner)).get('/users/@me').expect(200);
  });
});
