import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { experimentRoutes } from '../../test/support/experiment-routes.js';
import { until } from '../../test/support/until.js';
import { newEmail, Visitor } from '../../test/support/visitor.js';
import { describeError, runCommand } from '../ops/run-command.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(() => api.redis.flushdb());

const ops = (...args: string[]) => runCommand(args, { DATABASE_URL: api.environment.DATABASE_URL });
const refusal = (...args: string[]) => ops(...args).then(() => 'it was done', describeError);
const segment = (id: string, weight: number, flags: object = {}) => JSON.stringify({ id, weight, flags });

const { settingsOf, staff, retrieve, force } = experimentRoutes(() => api);

/** A running experiment on a flag; its settings are read once they include it. */
async function startExperiment(...segments: string[]): Promise<string> {
  const id = `e-${randomUUID().slice(0, 8)}`;
  await ops('experiments', 'create', id, ...segments.flatMap((one) => ['--segment', one]));
  await ops('experiments', 'start', id);
  await until(async () => (await settingsOf('anyone')).experiments[id] ?? null, 'the experiment');
  return id;
}

const stop = async (id: string) => {
  await ops('experiments', 'stop', id);
  await until(async () => ((await settingsOf('anyone')).experiments[id] ? null : true), 'the end of the experiment');
};

describe('an experiment', () => {
  it('sets flags of the visitors in its segment until it is stopped, below the version of the address', async () => {
    const id = await startExperiment(
      segment('all', 1, { expFreeTrialPaywallCtaLabel: 'start', isFreeTrialEnabled: false }),
    );
    expect(await settingsOf('a-visitor')).toMatchObject({
      exp_free_trial_paywall_cta_label: 'start',
      is_free_trial_enabled: false,
      experiments: { [id]: 'all' },
    });
    const body = { local_storage_id: 'a-visitor', device_type: 'desktop', language: 'en', version: 'ft' };
    const { body: forced } = await api.http.post('/api/v1/web/settings').send(body).expect(200);
    expect(forced).toMatchObject({ exp_free_trial_paywall_cta_label: 'start', is_free_trial_enabled: true });
    await stop(id);
    expect(await settingsOf('a-visitor')).toMatchObject({ exp_free_trial_paywall_cta_label: null, experiments: {} });
  });

  it('wins over the value that an operator has set', async () => {
    await ops('settings', 'set', 'expFreeTrialPaywallPayNowLabel', 'unlock');
    const id = await startExperiment(segment('all', 1, { expFreeTrialPaywallPayNowLabel: 'continue' }));
    expect(await settingsOf('x')).toMatchObject({ exp_free_trial_paywall_pay_now_label: 'continue' });
    await stop(id);
    await ops('settings', 'unset', 'expFreeTrialPaywallPayNowLabel');
  });

  it('binds payments to the flags of its visitor', async () => {
    const id = await startExperiment(segment('packs', 1), segment('none', 0, { oneTimePayment: false }));
    const [buyer, other] = [await api.member(), await api.member()];
    await force(`${id}-buyer`, id, 'none', buyer).expect(204);
    const { payment_strategies: sold } = await settingsOf(`${id}-buyer`, buyer);
    const order = { price_id: sold.one_time.periods.three_exports.price_id, unlocked_exports: 3 };
    const { body } = await buyer.post('/stripe/payment_intents', order).expect(403);
    expect(body.error_code).toBe('billing.not_offered');
    await other.post('/stripe/payment_intents', order).expect(201);
    await stop(id);
  });

  it('keeps the segments of visitors when another one starts', async () => {
    const id = await startExperiment(segment('a', 1), segment('b', 1));
    const visitors = Array.from({ length: 20 }, (_, index) => `stable-${index}`);
    const read = () => Promise.all(visitors.map(async (visitor) => (await settingsOf(visitor)).experiments[id]));
    const before = await read();
    expect(new Set(before)).toEqual(new Set(['a', 'b']));
    const other = await startExperiment(segment('x', 9), segment('y', 1));
    expect(await read()).toEqual(before);
    await stop(other);
    expect(await read()).toEqual(before);
    await stop(id);
  });

  it('shows a user the same on every device, from the one that was first', async () => {
    const id = await startExperiment(segment('a', 1), segment('b', 1));
    const devices = Array.from({ length: 12 }, (_, index) => `${id}-device-${index}`);
    const own = await Promise.all(devices.map(async (device) => (await settingsOf(device)).experiments[id]));
    const different = devices.filter((_, index) => own[index] !== own[0]);
    const guest = await api.guest();
    expect((await settingsOf(devices[0] ?? '', guest)).experiments[id]).toBe(own[0]);
    const email = newEmail();
    await Visitor.login(api.http, { email }, guest);
    const account = await Visitor.login(api.http, { email });
    for (const device of different) expect((await settingsOf(device, account)).experiments[id]).toBe(own[0]);
    await stop(id);
  });
});

describe('the secret menu', () => {
  it('shows open experiments with the visitor’s segment', async () => {
    const id = await startExperiment(segment('on', 3), segment('off', 0));
    expect((await retrieve('device')).find((one) => one.id === id)).toEqual({
      id,
      name: id,
      state: 'running',
      description: '',
      segments: [
        { id: 'on', index: 0, name: 'on', weight: 3 },
        { id: 'off', index: 1, name: 'off', weight: 0 },
      ],
      assigned_segment_id: 'on',
      is_forced: false,
    });
    await stop(id);
    expect((await retrieve('device')).map((one) => one.id)).not.toContain(id);
  });

  it('forces a segment, also of a draft, takes out of an experiment, and is audited', async () => {
    const id = await startExperiment(segment('on', 1), segment('off', 0, { expFreeTrialPaywallCtaLabel: 'get' }));
    await force('forced', id, 'off').expect(204);
    expect(await settingsOf('forced')).toMatchObject({
      experiments: { [id]: 'off' },
      exp_free_trial_paywall_cta_label: 'get',
    });
    expect(await retrieve('forced')).toContainEqual(
      expect.objectContaining({ id, assigned_segment_id: 'off', is_forced: true }),
    );
    expect((await settingsOf('another')).experiments[id]).toBe('on');
    await force('forced', id, null).expect(204);
    expect((await settingsOf('forced')).experiments).not.toHaveProperty(id);
    expect(await retrieve('forced')).toContainEqual(
      expect.objectContaining({ id, assigned_segment_id: null, is_forced: true }),
    );
    const audited = await api.sql("SELECT FROM audit_entries WHERE action = 'experiments.force'");
    expect(audited.length).toBeGreaterThanOrEqual(2);

    const draft = `d-${randomUUID().slice(0, 8)}`;
    await ops('experiments', 'create', draft, '--segment', segment('new', 1));
    await force('forced', draft, 'new').expect(204);
    const seen = async () => ((await settingsOf('forced')).experiments[draft] === 'new' ? true : null);
    await until(seen, 'the segment of the draft');
    expect((await settingsOf('another')).experiments).not.toHaveProperty(draft);
    await stop(id);
  });

  it('keeps a forced segment when the guest logs in to an account that has another', async () => {
    const id = await startExperiment(segment('on', 1), segment('off', 0));
    const email = newEmail();
    const account = await Visitor.login(api.http, { email });
    expect((await settingsOf('at-home', account)).experiments[id]).toBe('on');
    const guest = await api.guest();
    await settingsOf('at-work', guest);
    await force('at-work', id, 'off', guest).expect(204);
    const loggedIn = await Visitor.login(api.http, { email }, guest);
    expect((await settingsOf('at-work', loggedIn)).experiments[id]).toBe('off');
    expect((await settingsOf('at-home', loggedIn)).experiments[id]).toBe('off');
    const { body } = await loggedIn.get('/users/@me/export').expect(200);
    expect(body.local_storage_ids.map((one: { local_storage_id: string }) => one.local_storage_id)).toEqual([
      'at-home',
      'at-work',
    ]);
    expect(body.forced_segments).toMatchObject([{ experiment_id: id, segment_id: 'off' }]);
    await loggedIn.delete('/users/@me').expect(204);
    expect(await api.sql('SELECT FROM forced_segments WHERE experiment_id = $1', [id])).toEqual([]);
    await stop(id);
  });

  it('refuses unknown experiments and segments, and calls without the password', async () => {
    const id = await startExperiment(segment('on', 1));
    expect((await force('device', 'nothing', 'on').expect(404)).body.error_code).toBe('experiments.not_found');
    expect((await force('device', id, 'nothing').expect(422)).body.error_code).toBe('experiments.segment_unknown');
    await staff('put', 'force', { local_storage_id: 'device', modified_experiments: [] }).expect(422);
    await staff('post', 'retrieve', {}).expect(422);
    const modified = [{ id, segment_id: 'on' }];
    for (const password of ['', 'wrong']) {
      await api.redis.flushdb();
      const body = { local_storage_id: 'device', modified_experiments: modified };
      const { body: problem } = await staff('put', 'force', body, undefined, password).expect(403);
      expect(problem.error_code).toBe('secret_menu.password_incorrect');
      await staff('post', 'retrieve', { local_storage_id: 'device' }, undefined, password).expect(403);
    }
    expect((await settingsOf('device')).experiments).toEqual({ [id]: 'on' });
    await stop(id);
  });
});

describe('pnpm ops experiments', () => {
  it('lists experiments with their shares and flags, and audits changes', async () => {
    const id = await startExperiment(segment('a', 1), segment('b', 3, { isIntroPriceEnabled: true }));
    expect(await ops('experiments', 'list')).toContain(`${id}  running  ${id}`);
    expect(await ops('experiments', 'list')).toContain('a 25 %; b 75 % isIntroPriceEnabled=true');
    await stop(id);
    const audited = await api.sql(
      `SELECT action FROM audit_entries WHERE details ->> 'id' = $1 AND action LIKE 'experiments.%' ORDER BY created_at`,
      [id],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'experiments.create',
      'experiments.start',
      'experiments.stop',
    ]);
  });

  it('starts no second experiment on the same flag', async () => {
    const id = await startExperiment(segment('a', 1, { isIntroPriceEnabled: true }));
    await ops('experiments', 'create', `${id}-2`, '--segment', segment('b', 1, { isIntroPriceEnabled: false }));
    expect(await refusal('experiments', 'start', `${id}-2`)).toBe(`${id} is running and sets isIntroPriceEnabled too`);
    expect(await refusal('experiments', 'start', id)).toBe(`${id} is running`);
    expect(await refusal('experiments', 'create', id, '--segment', segment('a', 1))).toContain('exists already');
    await stop(id);
    expect(await refusal('experiments', 'stop', id)).toBe(`${id} is stopped`);
    expect(await ops('experiments', 'start', `${id}-2`)).toBe(`started ${id}-2`);
    await ops('experiments', 'stop', `${id}-2`);
  });

  it.each([
    ['no segment', ['x'], 'at least one segment'],
    ['an id with spaces', ['two words', '--segment', segment('a', 1)], 'a-z'],
    ['weights without sum', ['x', '--segment', segment('a', 0)], 'add up to 0'],
    ['a negative weight', ['x', '--segment', segment('a', -1)], 'weight'],
    ['a fraction', ['x', '--segment', segment('a', 0.5)], 'weight'],
    ['two segments of one id', ['x', '--segment', segment('a', 1), '--segment', segment('a', 1)], 'the same id'],
    ['an unknown flag', ['x', '--segment', segment('a', 1, { noSuchFlag: 1 })], 'noSuchFlag'],
    ['a value of another type', ['x', '--segment', segment('a', 1, { psPlugin: 'yes' })], 'psPlugin'],
    ['a flag of processing', ['x', '--segment', segment('a', 1, { jpegQuality: 100 })], 'jpegQuality'],
    ['text that is no JSON', ['x', '--segment', 'a=1'], 'no JSON'],
  ])('rejects %s', async (_what, args, reason) => {
    expect(await refusal('experiments', 'create', ...args)).toContain(reason);
  });

  it('names no experiment that is unknown', async () => {
    for (const action of ['start', 'stop'])
      expect(await refusal('experiments', action, 'nothing')).toContain('no experiment nothing');
  });
});
