import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type GiftCode, GiftCodeRepository } from '../gift-codes/gift-codes.repository.js';
import { hashOf, newCode } from '../gift-codes/gift-codes.service.js';
import { type Command, table, UsageError } from './command.js';

const PREFIX_LENGTH = 9;
const MAX_COUNT = 1_000;

function wholeNumber(text: string | undefined, option: string, fallback: number | null): number | null {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`--${option} must be a whole number above 0`);
  return value;
}

const create: Command = {
  name: 'gift-codes create',
  usage: '(--days <n> | --until <date>) [--uses <n>] [--count <n>]',
  summary: 'create codes for the business plan; printed once, stored as hashes',
  async run(args, { database, audit, actor }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        days: { type: 'string' },
        until: { type: 'string' },
        uses: { type: 'string' },
        count: { type: 'string' },
      },
    });
    const days = wholeNumber(values.days, 'days', null);
    const until = values.until === undefined ? null : new Date(values.until);
    if (until && (Number.isNaN(until.getTime()) || until <= new Date())) {
      throw new UsageError('--until must be a future date, for instance 2027-01-31');
    }
    if (days === null && !until)
      throw new UsageError('give the duration of a code: --days <n>, --until <date> or both');
    const count = wholeNumber(values.count, 'count', 1) ?? 1;
    if (count > MAX_COUNT) throw new UsageError(`--count can be at most ${MAX_COUNT}`);
    const codes = Array.from({ length: count }, newCode);
    const rows: GiftCode[] = codes.map((code) => ({
      id: randomUUID(),
      codeHash: hashOf(code),
      prefix: code.slice(0, PREFIX_LENGTH),
      days,
      expiresAt: until,
      maxUses: wholeNumber(values.uses, 'uses', 1) ?? 1,
      uses: 0,
      revokedAt: null,
      createdAt: new Date(),
    }));
    await database.transaction(async (manager) => {
      await new GiftCodeRepository(database).insert(manager, rows);
      const details = { ids: rows.map(({ id }) => id), days, until: until?.toISOString() ?? null };
      await audit.record({ actor, action: 'gift_codes.create', details }, manager);
    });
    return codes.join('\n');
  },
};

const list: Command = {
  name: 'gift-codes list',
  usage: '',
  summary: 'list codes by prefix',
  async run(_args, { database }) {
    const codes = await new GiftCodeRepository(database).list();
    const rows = codes.map(({ id, prefix, days, expiresAt, uses, maxUses, revokedAt }) => [
      id,
      `${prefix}…`,
      days === null ? '' : `${days} days`,
      expiresAt?.toISOString() ?? '',
      `${uses}/${maxUses}`,
      revokedAt ? 'revoked' : '',
    ]);
    return table([['ID', 'CODE', 'LASTS', 'UNTIL', 'USED', ''], ...rows]);
  },
};

const revoke: Command = {
  name: 'gift-codes revoke',
  usage: '<id>',
  summary: 'revoke a code; it stays valid for users who have redeemed it',
  async run([id], { database, audit, actor }) {
    if (!id) throw new UsageError('give the id of the code; `gift-codes list` shows it');
    await database.transaction(async (manager) => {
      const isRevoked = await new GiftCodeRepository(database).revoke(manager, id, new Date());
      if (!isRevoked) throw new UsageError(`no code with the id ${id} can be revoked`);
      await audit.record({ actor, action: 'gift_codes.revoke', details: { id } }, manager);
    });
    return `revoked ${id}`;
  },
};

export const giftCodeCommands: readonly Command[] = [create, list, revoke];
