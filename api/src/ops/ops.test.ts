import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { WebhookReceiver } from '../../test/support/webhook-receiver.js';
import { LAST_ATTEMPT } from '../runs/run.entity.js';
import { describeError, runCommand } from './run-command.js';

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL('../../dist/ops/main.js', import.meta.url));

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const commandEnvironment = () => ({ PATH: process.env.PATH, DATABASE_URL: api.environment.DATABASE_URL });

/** Runs in this process: starting another one takes a second. */
const ops = (...args: string[]): Promise<string> => runCommand(args, commandEnvironment());
const refusal = (...args: string[]): Promise<string | undefined> =>
  ops(...args).then(() => 'it was done', describeError);

const builtCommand = async (...args: string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [COMMAND, ...args], { env: commandEnvironment() });
  return stdout.trim();
};

const audited = async (action: string) =>
  (await api.sql('SELECT * FROM audit_entries WHERE action = $1', [action])).length;

describe('pnpm ops', () => {
  it('lists the commands', async () => {
    const help = await builtCommand();
    for (const name of ['gift-codes create', 'settings set', 'prices list']) expect(help).toContain(name);
    expect(await refusal('make', 'coffee')).toContain('unknown command make coffee');
  });

  it('prints only the reason of an error, and fails', async () => {
    const failed: { code: number; stdout: string; stderr: string } = await builtCommand('make', 'coffee').catch(
      (error) => error,
    );
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^unknown command make coffee\n/);
    expect(failed.stderr).not.toContain('    at ');
  });

  it('creates gift codes that can be redeemed once, and stores them hashed', async () => {
    const [first = '', second = ''] = (await ops('gift-codes', 'create', '--days', '30', '--count', '2')).split('\n');
    expect(first).toMatch(/^GIFT(-[0-9A-HJKMNP-TV-Z]{4}){4}$/);
    const member = await api.member();
    await member.post('/gift-codes/redeem', { code: first.toLowerCase().replaceAll('-', ' ') }).expect(200);
    expect(await member.me()).toMatchObject({ gift_code: { is_active: true } });
    const stored = JSON.stringify(await api.sql('SELECT * FROM gift_codes'));
    for (const code of [first, second]) expect(stored).not.toContain(code);
    expect(await ops('gift-codes', 'list')).toContain('1/1');
    expect(await audited('gift_codes.create')).toBe(1);
  });

  it('lists failed work and retries it', async () => {
    await api.sql(
      `INSERT INTO work_attempts (kind, subject, attempts, next_attempt_at, reason, set_aside_at, created_at)
       VALUES ('test.parcel', '7', 3, now() + interval '1 hour', 'Error: no such street', now(), now()),
         ('test.parcel', '8', 1, now() + interval '1 hour', 'Error: closed', NULL, now()),
         ('test.parcel', '9', 1, now() + interval '1 hour', NULL, NULL, now())`,
    );
    const lines = (await ops('stuck', 'list')).split('\n').filter((line) => line.startsWith('test.'));
    expect(lines).toEqual([
      expect.stringMatching(/^test\.parcel {2}7 .* set aside .*Error: no such street$/),
      expect.stringMatching(/^test\.parcel {2}8 .* retry at .*Error: closed$/),
    ]);
    expect(await refusal('stuck', 'retry', 'test.parcel', '9')).toContain('no failed work');
    expect(await ops('stuck', 'retry', 'test.parcel')).toContain('2 ');
    const due = `SELECT subject FROM work_attempts WHERE kind = 'test.parcel' AND attempts = 0 AND set_aside_at IS NULL
      AND next_attempt_at <= now() ORDER BY subject`;
    expect(await api.sql(due)).toEqual([{ subject: '7' }, { subject: '8' }]);
    expect(await audited('stuck.retry')).toBe(1);
  });

  it('lists abandoned runs and has them attempted again', async () => {
    const visitor = await api.guest();
    const { id: userId } = await visitor.me();
    const [abandoned, failed] = [randomUUID(), randomUUID()];
    const insert = (id: string, attempts: number) =>
      api.sql(
        `INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, attempts, error_code, reason, created_at, finished_at)
         VALUES ($1, 'test.unknown', $1, $2, 'images', 1, 'failed', $3, 'tasks.failed', 'Error: disk full', now(), now())`,
        [id, userId, attempts],
      );
    await insert(abandoned, LAST_ATTEMPT + 1);
    await insert(failed, LAST_ATTEMPT);
    const listed = (await ops('stuck', 'list')).split('\n').filter((line) => line.startsWith('runs.settle'));
    expect(listed).toEqual([expect.stringMatching(`${abandoned} .* set aside .*test\\.unknown: Error: disk full$`)]);
    expect(await refusal('stuck', 'retry', 'runs.settle', failed)).toContain('no failed work');
    expect(await ops('stuck', 'retry', 'runs.settle', abandoned)).toContain('1 ');
    expect(await api.sql('SELECT status, attempts, finished_at FROM runs WHERE id = $1', [abandoned])).toEqual([
      { status: 'waiting', attempts: 0, finished_at: null },
    ]);
    expect(await ops('stuck', 'list')).not.toContain('runs.settle');
    await api.sql('DELETE FROM runs');
  });

  it('lists events of providers and has one processed again', async () => {
    const member = await Customer.member(api);
    const id = await member.subscribe('personal_yearly_usd');
    const processed = async () => {
      const rows = await api.sql<{ event_id: string; processed_at: Date | null }>(
        'SELECT event_id, processed_at FROM webhook_events WHERE subject_id = $1 ORDER BY received_at',
        [id],
      );
      return rows.length > 0 && rows.every(({ processed_at }) => processed_at) ? rows : null;
    };
    await until(processed, 'the events');
    const [event] = (await processed()) ?? [];
    await api.sql(
      `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('user:' || user_id, 0)) FROM subscriptions
         WHERE provider_id = $1)
       UPDATE subscriptions SET status = 'canceled' FROM held WHERE provider_id = $1`,
      [id],
    );
    expect(await refusal('webhooks', 'replay', 'stripe', 'evt_none')).toContain('no event evt_none');
    expect(await refusal('webhooks', 'replay', 'paypal', event?.event_id ?? '')).toContain('no event');
    expect(await ops('webhooks', 'replay', 'stripe', event?.event_id ?? '')).toContain('again');
    expect(await ops('webhooks', 'list', id)).toMatch(/customer\.subscription\.created/);
    const isActive = async () => {
      const [row] = await api.sql<{ status: string }>('SELECT status FROM subscriptions WHERE provider_id = $1', [id]);
      return row?.status === 'active';
    };
    await until(isActive, 'the state of the provider');
    expect(await audited('webhooks.replay')).toBe(1);
  });

  it("lists customers' endpoints and messages, sends again, and switches endpoints", async () => {
    const receiver = await new WebhookReceiver().start();
    const owner = await api.business();
    const { email } = await owner.me();
    const { body } = await owner.post('/webhook-endpoints', { url: `${receiver.url}?token=secret` }).expect(201);
    const endpoint: string = body.id;
    receiver.answerWith(500);
    await owner.post(`/webhook-endpoints/${endpoint}/test`).expect(202);
    await receiver.of('endpoint.test');
    const row = () => ops('webhooks', 'deliveries', email ?? '');
    const listed = await until(async () => {
      const text = await row();
      return text.includes('500 after') ? text : null;
    }, 'the attempt');
    expect(listed).toContain(`${endpoint}  endpoint.test  pending`);
    const failing = await ops('webhooks', 'endpoints', '--failing');
    expect(failing).toMatch(new RegExp(`^${endpoint} .* failing since .* ${receiver.url} `, 'm'));
    expect(failing + listed).not.toContain('token');
    const [, delivery = ''] = /^([0-9a-f-]{36}) /m.exec(listed) ?? [];
    expect(await ops('webhooks', 'resend', delivery)).toContain('again');
    await receiver.of('endpoint.test', 2);

    expect(await ops('webhooks', 'disable', endpoint)).toContain('disabled');
    expect(await refusal('webhooks', 'disable', endpoint)).toContain('no endpoint');
    expect((await owner.get('/webhook-endpoints')).body.data).toMatchObject([{ disabled_reason: 'operator' }]);
    expect(await ops('webhooks', 'endpoints', email ?? '')).toContain('off: operator');
    expect(await refusal('webhooks', 'resend', delivery)).toContain('is off');
    expect(await ops('webhooks', 'enable', endpoint)).toContain('enabled');
    expect((await owner.get('/webhook-endpoints')).body.data).toMatchObject([
      { is_enabled: true, failing_since: null },
    ]);
    expect(await refusal('webhooks', 'endpoints', 'nobody@example.com')).toContain('no account');
    expect(await refusal('webhooks', 'resend', '7')).toContain('give the id');
    for (const action of ['resend', 'disable', 'enable']) expect(await audited(`webhooks.${action}`)).toBe(1);
    await receiver.stop();
  });

  it('revokes a gift code', async () => {
    const code = await ops('gift-codes', 'create', '--until', '2099-01-01');
    const [{ id } = { id: '' }] = await api.sql<{ id: string }>(
      'SELECT id FROM gift_codes WHERE expires_at IS NOT NULL',
    );
    await ops('gift-codes', 'revoke', id);
    await (await api.member()).post('/gift-codes/redeem', { code }).expect(404);
    expect(await refusal('gift-codes', 'revoke', id)).toContain(id);
  });

  it('sets flags to allowed values', async () => {
    await ops('settings', 'set', 'isFreeTrialEnabled', 'false');
    expect(await ops('settings', 'list')).toMatch(/isFreeTrialEnabled +false +set/);
    expect(await ops('settings', 'unset', 'isFreeTrialEnabled')).toBe('isFreeTrialEnabled = true');
    expect(await refusal('settings', 'set', 'jpegQuality', '80')).toContain("jpegQuality can't be 80");
    expect(await refusal('settings', 'set', 'noSuchFlag', '1')).toContain('unknown flag noSuchFlag');
    expect([await audited('settings.set'), await audited('settings.unset')]).toEqual([1, 1]);
  });

  it('announces a price to those who continue to pay it, in their language, once', async () => {
    const [staying, leaving] = [newEmail(), newEmail()];
    for (const email of [staying, leaving]) {
      const member = await Customer.member(api, { email });
      await member.visitor.get('/users/@me').set('accept-language', 'fr-CA');
      await member.subscribe('personal_weekly_usd');
      if (email === leaving) await member.visitor.delete('/stripe/subscriptions').expect(200);
    }
    const announce = (to: string, on: string) =>
      ['prices', 'announce', 'personal_weekly_usd', '--to', to, '--on', on] as const;
    const day = '2099-03-01';
    expect(await ops(...announce('personal_weekly_former_usd', day))).toMatch(/^1 will be notified/);
    await ops(...announce('personal_weekly_former_usd', day));
    const mails = await api.sql<{ recipient: string; body: string }>(
      "SELECT recipient, body FROM mail_messages WHERE subject LIKE '%prix%'",
    );
    expect(mails.map(({ recipient }) => recipient)).toEqual([staying]);
    expect(mails[0]?.body).toMatch(/^À partir du 1er\smars\s2099, .* coûtera \$7\.99 au lieu de \$9\.99\./);
    expect(await audited('prices.announce')).toBe(2);
    const soon = new Date(Date.now() + 29 * 86_400_000).toISOString();
    expect(await refusal(...announce('personal_weekly_former_usd', soon))).toContain('at least 30 days from now');
    expect(await refusal(...announce('business_weekly_usd', day))).toContain('not another price of the same plan');
    expect(await refusal(...announce('nothing', day))).toContain('nothing is not the price of a plan');
  });

  it('hashes the staff password that is typed, without a database', async () => {
    const typing = run(process.execPath, [COMMAND, 'staff-password', 'hash'], { env: { PATH: process.env.PATH } });
    typing.child.stdin?.end('correct horse battery\n');
    const printed = (await typing).stdout.trim();
    expect(await verify(printed, 'correct horse battery')).toBe(true);
  });

  it('shows prices', async () =>
    expect(await builtCommand('prices', 'list')).toMatch(/personal_weekly_eur +9,99€ +sbx_price_/));

  it.each([
    [['gift-codes', 'create'], 'duration of a code'],
    [['gift-codes', 'create', '--days', '0'], '--days must be'],
    [['gift-codes', 'create', '--until', 'yesterday'], '--until must be'],
    [['gift-codes', 'create', '--until', '2001-01-01'], '--until must be'],
    [['gift-codes', 'create', '--day', '3'], '--day'],
  ])('rejects %s', async (args, sentence) => {
    const output = await refusal(...args);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
  });
});
