import { once } from 'node:events';
import { request } from 'node:http';
import { BASE_PATH } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { INVALID, refusalOf } from '../../test/support/key-client.js';
import { notPictures, picture } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';

const { api, owner, client, tasks } = useEnhance();
const SHOP = 'https://shop.example';
const FACES = { face_enhance: { model: 'v2' } };
const UNAUTHORIZED = [401, 'users.not_authorized'];
const USED = [409, 'upload_tokens.used'];

type Headers = Readonly<Record<string, string>>;
const create = (input: object = {}) => client().post('/upload-tokens', input);
const tokenOf = async (input: object = {}): Promise<string> => (await create(input).expect(201)).body.token;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** Sends a picture as a page does. */
const sendBy = (token: string, headers: Headers = {}, query = '', bytes = picture.jpeg()) =>
  api()
    .http.post(`${BASE_PATH}/enhance${query}`)
    .set({ ...bearer(token), 'content-type': 'image/jpeg', ...headers })
    .send(bytes);

describe('an upload token', () => {
  it('sends one picture in the name of its key', async () => {
    const { body, headers } = await create().expect(201);
    expect(body).toEqual({ token: expect.stringMatching(/^cfu_[\w-]{43}$/), expires_at: expect.any(String) });
    expect(headers['cache-control']).toBe('no-store');
    const sent = await sendBy(body.token).expect(202);
    expect(sent.headers['access-control-allow-origin']).toBe('*');
    expect(await tasks()).toMatchObject([{ task_id: sent.body.task_id }]);
    expect(await refusalOf(sendBy(body.token))).toEqual(USED);
    expect(await tasks()).toHaveLength(1);
  });

  it('reads the task of its picture, and no other', async () => {
    const [token, other] = [await tokenOf(), await tokenOf()];
    const { body: sent } = await sendBy(token).expect(202);
    const read = (id: string, by: string) => api().http.get(`${BASE_PATH}/tasks/${id}`).set(bearer(by));
    const answer = await read(sent.task_id, token).expect(200);
    expect(answer.body.task_id).toBe(sent.task_id);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    for (const id of [sent.task_id, 'none', '00000000-0000-4000-8000-000000000000'])
      expect(await refusalOf(read(id, other))).toEqual([404, 'tasks.not_found']);
    await sendBy(other).expect(202);
    expect(await refusalOf(read(sent.task_id, other))).toEqual([404, 'tasks.not_found']);
    await api().sql('UPDATE upload_tokens SET expires_at = now()');
    expect(await refusalOf(read(sent.task_id, token))).toEqual([401, 'upload_tokens.expired']);
  });

  it('is used by one of several requests at once', async () => {
    const token = await tokenOf();
    const answers = await Promise.all(Array.from({ length: 6 }, () => refusalOf(sendBy(token))));
    expect(answers.sort()).toEqual([[202, null], USED, USED, USED, USED, USED]);
    expect(await tasks()).toHaveLength(1);
  });

  it('is not used up by a picture that is refused', async () => {
    const token = await tokenOf();
    expect(await refusalOf(sendBy(token, {}, '', notPictures.pdf))).toEqual([415, 'uploads.unsupported_type']);
    await sendBy(token).expect(202);
  });

  it('answers a repetition with the same Idempotency-Key, which is its own', async () => {
    const [token, other] = [await tokenOf(), await tokenOf()];
    const [bytes, retry] = [picture.jpeg(), { 'idempotency-key': 'retry' }];
    const first = await sendBy(token, retry, '', bytes).expect(202);
    const again = await sendBy(token, retry, '', bytes).expect(202);
    expect([again.body.task_id, again.headers['idempotency-replayed']]).toEqual([first.body.task_id, 'true']);
    expect((await sendBy(other, retry).expect(202)).body.task_id).not.toBe(first.body.task_id);
    expect(await tasks()).toHaveLength(2);
  });

  it('fixes pipeline and format', async () => {
    const token = await tokenOf({ ai_pipeline: FACES, output_content_type: 'image/jpeg' });
    for (const name of ['pipeline', 'ai_pipeline', 'format', 'output_content_type']) {
      const query = `?${name}=${name.includes('pipeline') ? encodeURIComponent(JSON.stringify(FACES)) : 'image/png'}`;
      const { status, body } = await sendBy(token, {}, query);
      expect([status, body.error_code, body.details]).toEqual([
        422,
        'request.invalid',
        { [name]: 'Not with this upload token' },
      ]);
    }
    const { body } = await sendBy(token, {}, '?file_name=beach.jpg').expect(202);
    expect(body).toMatchObject({ ai_pipeline: FACES, output_content_type: 'image/jpeg' });
  });

  it.each(['input_url', 'output_upload_url', 'callback_url'])(
    'takes no %s, by which a page could direct files and events',
    async (name) => {
      const { status, body } = await sendBy(
        await tokenOf(),
        {},
        `?${name}=${encodeURIComponent('https://example.com/')}`,
      );
      expect([status, body.error_code, body.details]).toEqual([
        422,
        'request.invalid',
        { [name]: 'Not with this upload token' },
      ]);
      expect(await tasks()).toEqual([]);
    },
  );

  it('may belong to the pages of one origin', async () => {
    const token = await tokenOf({ origin: SHOP });
    const wrong = [403, 'upload_tokens.wrong_origin'];
    for (const headers of [undefined, { origin: 'https://shop.example.evil.example' }, { origin: 'null' }])
      expect(await refusalOf(sendBy(token, headers))).toEqual(wrong);
    await sendBy(token, { origin: SHOP }).expect(202);
  });

  it('expires', async () => {
    const token = await tokenOf();
    await api().sql('UPDATE upload_tokens SET expires_at = now()');
    expect(await refusalOf(sendBy(token))).toEqual([401, 'upload_tokens.expired']);
  });

  it('ends with its key, also while it sends a picture', async () => {
    const [token, sending] = [await tokenOf(), await tokenOf()];
    const headers = { ...bearer(sending), 'content-type': 'image/jpeg', 'content-length': picture.jpeg().length };
    const outgoing = request(`${api().url}${BASE_PATH}/enhance`, { method: 'POST', headers, agent: false });
    const answered = once(outgoing, 'response');
    const rows = () =>
      api().sql(`SELECT FROM tasks JOIN users u ON u.id = user_id WHERE status IN ('started', 'uploading')`);
    const before = (await rows()).length;
    outgoing.write(picture.jpeg().subarray(0, 5_000));
    await until(async () => (await rows()).length > before, 'the upload to begin');
    const { body } = await owner().get('/plugin-keys').expect(200);
    await owner().delete(`/plugin-keys/${body.data[0].id}`).expect(204);
    outgoing.end(picture.jpeg().subarray(5_000));
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(401);
    expect(await refusalOf(sendBy(token))).toEqual(UNAUTHORIZED);
    expect(await tasks()).toEqual([]);
  });

  it('reaches nothing else, and is nothing beside a key', async () => {
    const token = await tokenOf();
    for (const path of ['/tasks', '/users/@me', '/plugin-keys', '/video-tasks/00000000-0000-4000-8000-000000000000'])
      expect(await refusalOf(api().http.get(`${BASE_PATH}${path}`).set(bearer(token)))).toEqual([
        403,
        'plugin_keys.not_permitted',
      ]);
    expect(await refusalOf(api().http.post(`${BASE_PATH}/upload-tokens`).set(bearer(token)).send({}))).toEqual([
      403,
      'plugin_keys.not_permitted',
    ]);
    await sendBy(token, client().headers).expect(202);
    await sendBy(token).expect(202);
    expect(await refusalOf(sendBy(token, { 'x-api-key': `cfk_${'a'.repeat(43)}` }))).toEqual(INVALID);
    expect(await refusalOf(sendBy(`cfu_${'a'.repeat(43)}`))).toEqual(UNAUTHORIZED);
  });
});

describe('creating an upload token', () => {
  it.each([
    ['origin', `${SHOP}/`],
    ['origin', 'shop.example'],
    ['origin', 'javascript:alert(1)'],
    ['expires_in_seconds', 5],
    ['expires_in_seconds', 86_400],
    ['output_content_type', 'image/gif'],
  ])('is refused with the %s %s', async (name, value) => {
    const { status, body } = await create({ [name]: value });
    expect([status, Object.keys(body.details)]).toEqual([422, [name]]);
  });

  it('is for keys, not for sessions', async () => {
    expect(await refusalOf(owner().post('/upload-tokens', {}))).toEqual([403, 'plugin_keys.required']);
  });
});
