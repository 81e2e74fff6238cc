import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('logging out', () => {
  it('ends the session only; the account keeps its data', async () => {
    const email = newEmail();
    const [here, there] = [await api.member({ email }), await api.member({ email })];
    const { task_id } = await here.upload();
    const { text } = await here.post('/users/logout').expect(204);
    expect(text).toBe('');
    expect((await here.get('/users/@me').expect(401)).body.error_code).toBe('users.not_authorized');
    expect((await here.post('/users/logout').expect(401)).body.error_code).toBe('users.not_authorized');
    await there.task(task_id);
    await (await api.member({ email })).task(task_id);
  });

  it('works for a guest', async () => {
    const guest = await api.guest();
    await guest.post('/users/logout').expect(204);
    await guest.get('/users/@me').expect(401);
  });

  it('twice at once succeeds twice', async () => {
    const member = await api.member();
    const responses = await Promise.all([member.post('/users/logout'), member.post('/users/logout')]);
    for (const { status } of responses) expect([204, 401]).toContain(status);
    expect(responses.map(({ status }) => status)).toContain(204);
  });
});

it.each([
  ['get', '/users/@me'],
  ['post', '/users/logout'],
  ['put', '/users/@me/preferences/override'],
  ['get', '/users/@me/export'],
  ['delete', '/users/@me'],
] as const)('%s %s requires a token', async (method, path) => {
  const { body } = await api.http[method](`${BASE_PATH}${path}`).send({}).expect(401);
  expect(body.error_code).toBe('users.not_authorized');
});
