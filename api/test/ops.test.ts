import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from './support/application.js';

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL('../dist/ops/main.js', import.meta.url));

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** What a command prints, the built one as operators run it; rejects with what it says when it refuses. */
const ops = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, DATABASE_URL: api.environment.DATABASE_URL };
  const { stdout } = await run(process.execPath, [COMMAND, ...args], { env });
  return stdout.trim();
};
const refusal = (...args: string[]): Promise<string> =>
  ops(...args).then(
    () => 'it was done',
    (error: { stderr: string }) => error.stderr,
  );
const audited = async (action: string) =>
  (await api.sql('SELECT * FROM audit_entries WHERE action = $1', [action])).length;

describe('pnpm ops', () => {
  it('says what there is', async () => {
    const help = await ops();
    for (const name of ['gift-codes create', 'settings set', 'prices list']) expect(help).toContain(name);
    expect(await refusal('make', 'coffee')).toContain('there is no command make coffee');
  });

  it('makes gift codes that can be redeemed once, and keeps none of them readable', async () => {
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

  it('revokes a gift code', async () => {
    const code = await ops('gift-codes', 'create', '--until', '2099-01-01');
    const [{ id } = { id: '' }] = await api.sql<{ id: string }>(
      'SELECT id FROM gift_codes WHERE expires_at IS NOT NULL',
    );
    await ops('gift-codes', 'revoke', id);
    await (await api.member()).post('/gift-codes/redeem', { code }).expect(404);
    expect(await refusal('gift-codes', 'revoke', id)).toContain(id);
  });

  it('sets flags to what they can be', async () => {
    await ops('settings', 'set', 'isFreeTrialEnabled', 'false');
    expect(await ops('settings', 'list')).toMatch(/isFreeTrialEnabled +false +set/);
    expect(await ops('settings', 'unset', 'isFreeTrialEnabled')).toBe('isFreeTrialEnabled = true');
    expect(await refusal('settings', 'set', 'jpegQuality', '80')).toContain("jpegQuality can't be 80");
    expect(await refusal('settings', 'set', 'noSuchFlag', '1')).toContain('there is no flag noSuchFlag');
    expect([await audited('settings.set'), await audited('settings.unset')]).toEqual([1, 1]);
  });

  it('hashes the staff password that is typed, without a database', async () => {
    const typing = run(process.execPath, [COMMAND, 'staff-password', 'hash'], { env: { PATH: process.env.PATH } });
    typing.child.stdin?.end('correct horse battery\n');
    const printed = (await typing).stdout.trim();
    expect(await verify(printed, 'correct horse battery')).toBe(true);
  });

  it('shows prices', async () => expect(await ops('prices', 'list')).toMatch(/personal_weekly_eur +9,99€ +sbx_price_/));

  it.each([
    [['gift-codes', 'create'], 'how long'],
    [['gift-codes', 'create', '--days', '0'], '--days must be'],
    [['gift-codes', 'create', '--until', 'yesterday'], '--until must be'],
    [['gift-codes', 'create', '--until', '2001-01-01'], '--until must be'],
    [['gift-codes', 'create', '--day', '3'], '--day'],
  ])('refuses %s', async (args, sentence) => {
    const said = await refusal(...args);
    expect(said).toContain(sentence);
    expect(said).not.toContain('    at ');
  });
});
