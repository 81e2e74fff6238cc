import { DataSource, type Logger } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { identityToken, newEmail, postLogin, type Visitor } from '../../test/support/visitor.js';

const MAX_QUERIES = 2;
const BASE = { face_enhance: { model: 'base' } };
const GLAM = { face_lifting: { model: 'glam' } };
let api: TestApi;
let member: Visitor;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  member = await api.member();
});

const override = (visitor: Visitor, preferences: unknown) =>
  visitor.put('/users/@me/preferences/override', { preferences });
const makeFree = async (visitor: Visitor, isFree: boolean) =>
  api.sql('UPDATE users SET is_free = $2 WHERE id = $1', [(await visitor.me()).web_user_id, isFree]);

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const source = api.app.get(DataSource);
  const { logger } = source;
  const seen: string[] = [];
  const listener: Pick<Logger, 'logQuery'> = { logQuery: (query) => seen.push(query) };
  Object.assign(source, { logger: Object.assign(Object.create(logger), listener) });
  await work();
  Object.assign(source, { logger });
  return seen.filter((query) => !/\b(runs|pg_advisory_xact_lock)\b/.test(query));
}

describe('GET /users/@me', () => {
  const NO_PURCHASES = {
    available_credits: 0,
    mobile_oracle_backend_id: null,
    marketing_consent: false,
    image_training_consent: false,
    next_renew_image_download_limits_datetime: null,
    gift_code: null,
    preferences: { wants_email_reminder: true, default_ai_pipeline: null, keep_location: false },
    monetization: {
      trial_available: true,
      has_incomplete_subscription: false,
      is_subscribed: false,
      subscription_includes_trial: false,
      subscription_with_intro_price: false,
      subscription_provider: null,
      subscription_id: null,
      price_id: null,
      intro_available: true,
      open_subscription: null,
    },
    limits: { exports: 0, exports_used: 0 },
  };
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('returns a guest', async () => {
    const { body, headers } = await (await api.guest()).get('/users/@me').expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      ...NO_PURCHASES,
      id: uuid,
      web_user_id: body.id,
      backend_id: body.id,
      firebase_uid: null,
      is_guest: true,
      role: 'guest',
      email: null,
      source: null,
      created_at: now,
      is_free: false,
      monetization: { ...NO_PURCHASES.monetization, trial_available: false },
    });
  });

  it('returns an account', async () => {
    const email = newEmail();
    const body = await (await api.member({ email, provider: 'apple' })).me();
    expect(body).toEqual({
      ...NO_PURCHASES,
      id: body.firebase_uid,
      web_user_id: uuid,
      backend_id: body.web_user_id,
      firebase_uid: expect.stringMatching(/^.{28}$/),
      is_guest: false,
      role: 'base',
      email,
      source: 'apple',
      created_at: now,
      is_free: false,
    });
  });

  it('returns null for unlimited when made free by staff', async () => {
    expect(await (await api.business()).me()).toMatchObject({
      is_free: true,
      role: 'business',
      limits: { exports: null, exports_used: 0 },
    });
  });

  it(`takes at most ${MAX_QUERIES} queries, including the session's`, async () => {
    const [first = [], ...others] = [
      await statementsOf(() => member.me()),
      await statementsOf(() => member.me()),
      await statementsOf(() => member.me()),
    ];
    // Background work runs during some of the calls.
    const own = first.filter((statement) => others.every((statements) => statements.includes(statement)));
    expect(own.length).toBeGreaterThan(0);
    expect(own.length).toBeLessThanOrEqual(MAX_QUERIES);
  });
});

describe('preferences', () => {
  it('are merged by name; null restores the default', async () => {
    const first = await override(member, { default_ai_pipeline: BASE }).expect(200);
    expect(first.body).toEqual(await member.me());
    expect(first.body.preferences).toEqual({
      wants_email_reminder: true,
      default_ai_pipeline: BASE,
      keep_location: false,
    });
    const second = await override(member, { wants_email_reminder: false, favorite: 1 }).expect(200);
    expect(second.body.preferences).toEqual({
      wants_email_reminder: false,
      default_ai_pipeline: BASE,
      keep_location: false,
    });
    const third = await override(member, { default_ai_pipeline: null }).expect(200);
    expect(third.body.preferences).toEqual({
      wants_email_reminder: false,
      default_ai_pipeline: null,
      keep_location: false,
    });
    await override(member, {}).expect(200);
    await override(member, { wants_email_reminder: null, keep_location: null }).expect(200);
    expect((await member.me()).preferences).toEqual(third.body.preferences);
    expect((await member.task((await member.announce()).task_id)).ai_pipeline).toHaveProperty('background_enhance');
  });

  it('lose neither of two concurrent changes', async () => {
    for (let round = 0; round < 10; round += 1) {
      const request = { wants_email_reminder: round % 2 === 0 };
      const pipeline = { face_enhance: { model: 'base', strength: round / 10 } };
      await Promise.all([override(member, request).expect(200), override(member, { default_ai_pipeline: pipeline })]);
      expect((await member.me()).preferences).toMatchObject({ ...request, default_ai_pipeline: pipeline });
    }
  });

  it('are not lost to a concurrent login with other preferences', async () => {
    const email = newEmail();
    const account = await api.member({ email });
    for (let round = 0; round < 10; round += 1) {
      const request = { wants_email_reminder: round % 2 === 0 };
      const pipeline = { face_enhance: { model: 'base', strength: round / 10 } };
      const token = await identityToken(api.http, { email });
      await Promise.all([
        postLogin(api.http, token, undefined, request).expect(200),
        override(account, { default_ai_pipeline: pipeline }).expect(200),
      ]);
      expect((await account.me()).preferences).toMatchObject({ ...request, default_ai_pipeline: pipeline });
    }
  });

  it('apply to the next picture unless the request says otherwise', async () => {
    await override(member, { default_ai_pipeline: BASE }).expect(200);
    expect((await member.task((await member.announce()).task_id)).ai_pipeline).toEqual(BASE);
    expect((await member.task((await member.announce({ ai_pipeline: {} })).task_id)).ai_pipeline).toEqual({});
    await override(member, { default_ai_pipeline: {} }).expect(200);
    expect((await member.task((await member.announce()).task_id)).ai_pipeline).toEqual({});
  });

  it('may include tools of the plan, and fall back to the default when the plan loses them', async () => {
    const { body } = await override(member, { default_ai_pipeline: GLAM }).expect(403);
    expect(body).toMatchObject({ error_code: 'pipeline.not_in_plan', details: { tool: 'face_lifting' } });
    await makeFree(member, true);
    await override(member, { default_ai_pipeline: GLAM }).expect(200);
    expect((await member.task((await member.announce()).task_id)).ai_pipeline).toEqual(GLAM);
    await makeFree(member, false);
    expect((await member.task((await member.announce()).task_id)).ai_pipeline).toEqual({
      face_enhance: { model: 'base' },
      background_enhance: { model: 'base' },
    });
    expect((await member.me()).preferences.default_ai_pipeline).toEqual(GLAM);
  });

  it('may not include tools while saving them is switched off', async () => {
    const other = await startApi({ API_ROLE: 'http' });
    await other.sql(`INSERT INTO flag_overrides VALUES ('shouldEnableSavingAiModelDefault', 'false', now())`);
    const visitor = await other.member();
    const { body } = await override(visitor, { default_ai_pipeline: BASE }).expect(403);
    expect(body.error_code).toBe('billing.not_offered');
    await override(visitor, { default_ai_pipeline: null, wants_email_reminder: false }).expect(200);
    await other.stop();
  });

  it.each<[string, unknown, string]>([
    ['no preferences', undefined, 'preferences'],
    ['a list', [], 'preferences'],
    ['a text for yes or no', { wants_email_reminder: 'yes' }, 'preferences.wants_email_reminder'],
    ['a text for a pipeline', { default_ai_pipeline: 'all' }, 'preferences.default_ai_pipeline'],
    ['an unknown tool', { default_ai_pipeline: { magic: {} } }, 'preferences.default_ai_pipeline.magic'],
    [
      'an unknown model',
      { default_ai_pipeline: { face_enhance: { model: 'v9' } } },
      'preferences.default_ai_pipeline.face_enhance.model',
    ],
  ])('are rejected with 422 for %s, naming the field, without changes', async (_what, preferences, field) => {
    const { body } = await override(member, preferences).expect(422);
    expect(body.error_code).toBe('request.invalid');
    expect(Object.keys(body.details)).toEqual([field]);
    expect((await member.me()).preferences).toEqual({
      wants_email_reminder: true,
      default_ai_pipeline: null,
      keep_location: false,
    });
  });
});
