import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';

const MARKETING = '/users/@me/consents/marketing';
const TRAINING = '/users/@me/consents/image-training';
const ASKED = { request_url: 'https://clearframe.example/account/subscription' };

let api: TestApi;
let member: Visitor;
beforeAll(async () => {
  api = await startApi({ API_ROLE: 'http' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  member = await api.member();
});

const consentsOf = async (visitor: Visitor) => {
  const { marketing_consent, image_training_consent } = await visitor.me();
  return { marketing_consent, image_training_consent };
};

describe('consents', () => {
  it('are given and withdrawn one by one, and recorded with where they were asked for', async () => {
    expect(await consentsOf(member)).toEqual({ marketing_consent: false, image_training_consent: false });
    const { body: first } = await member.post(MARKETING, ASKED).expect(200);
    expect(first).toEqual({ granted: true, granted_at: expect.any(String) });
    expect((await member.post(MARKETING, ASKED).expect(200)).body).toEqual(first);
    expect(await consentsOf(member)).toEqual({ marketing_consent: true, image_training_consent: false });

    await member.post(TRAINING, ASKED).expect(200);
    await member.delete(MARKETING, ASKED).expect(204);
    expect(await consentsOf(member)).toEqual({ marketing_consent: false, image_training_consent: true });

    const { body } = await member.get('/users/@me/export').expect(200);
    expect(
      body.consents.map(({ kind, is_granted }: { kind: string; is_granted: boolean }) => [kind, is_granted]),
    ).toEqual([
      ['marketing', true],
      ['image-training', true],
      ['marketing', false],
    ]);
    expect(body.consents[0]).toMatchObject(ASKED);
  });

  it('are withdrawn also without the page that asked', async () => {
    await member.post(MARKETING, ASKED).expect(200);
    await member.delete(MARKETING).expect(204);
    await member.delete(TRAINING, { request_url: null }).expect(204);
    expect(await consentsOf(member)).toEqual({ marketing_consent: false, image_training_consent: false });
    const { body } = await member.get('/users/@me/export').expect(200);
    expect(body.consents.at(-1)).toMatchObject({ kind: 'image-training', is_granted: false, request_url: null });
  });

  it('of a guest move to the account, where the newest answer prevails', async () => {
    const email = newEmail();
    await (await api.member({ email })).delete(MARKETING, ASKED).expect(204);
    const guest = await api.guest();
    await guest.post(MARKETING, ASKED).expect(200);
    const account = await Visitor.login(api.http, { email }, guest);
    expect(await consentsOf(account)).toEqual({ marketing_consent: true, image_training_consent: false });
  });

  it('need a session, a known kind and the page that asked', async () => {
    await api.http.post(`/api/v1/web${MARKETING}`).send(ASKED).expect(401);
    await member.post('/users/@me/consents/everything', ASKED).expect(404);
    const { body } = await member.post(MARKETING, { request_url: 'nowhere' }).expect(422);
    expect(body.details).toHaveProperty('request_url');
    await member.post(MARKETING).expect(422);
    await member.delete(MARKETING, { request_url: 'nowhere' }).expect(422);
  });
});
