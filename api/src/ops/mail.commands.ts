import { parseArgs } from 'node:util';
import { SECRET_MAIL_KINDS } from '../mail/mail-kinds.js';
import { DELIVERY, type MailDelivery, MailDeliveryRepository } from '../mail/mail-message.repository.js';
import { retryStuckWork } from '../platform/schedule/work-claims.js';
import { type Command, table, UsageError } from './command.js';

const LISTED = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function stateOf({ sentAt, isFailed, reason, nextAttemptAt }: MailDelivery): string {
  if (sentAt) return 'sent';
  if (isFailed) return 'failed';
  return reason && nextAttemptAt ? `retry at ${nextAttemptAt.toISOString()}` : 'waiting';
}

/** Lists are read over shoulders and pasted into tickets. */
const masked = (address: string): string => address.replace(/^(.)[^@]*(?=@)/, '$1…');

const list: Command = {
  name: 'mail list',
  usage: '[--failed]',
  summary: `show the last ${LISTED} messages; with --failed, those that could not be sent`,
  async run(args, { database }) {
    const { values } = parseArgs({ args: [...args], options: { failed: { type: 'boolean', default: false } } });
    const rows = await new MailDeliveryRepository(database.manager).list({ onlyFailed: values.failed, limit: LISTED });
    const cells = rows.map((row) => [
      row.id,
      row.kind ?? '',
      masked(row.recipient),
      row.createdAt.toISOString(),
      stateOf(row),
      row.reason ?? '',
    ]);
    return table([['ID', 'KIND', 'TO', 'CREATED', 'STATE', 'REASON'], ...cells]);
  },
};

function idIn([id]: readonly string[]): string {
  if (!id || !UUID.test(id)) throw new UsageError('give the id of the message; `mail list` shows it');
  return id;
}

const show: Command = {
  name: 'mail show',
  usage: '<id>',
  summary: 'show a message with its recipient and text, except codes and links',
  async run(args, { database, audit, actor }) {
    const id = idIn(args);
    const row = await new MailDeliveryRepository(database.manager).find(id);
    if (!row) throw new UsageError(`no message ${id}`);
    await database.transaction((manager) => audit.record({ actor, action: 'mail.show', details: { id } }, manager));
    const isSecret = row.kind !== null && SECRET_MAIL_KINDS.has(row.kind);
    const fields = [
      ['To', row.recipient],
      ['Subject', row.subject],
      ['Kind', row.kind ?? ''],
      ['Created', row.createdAt.toISOString()],
      ['Sent', row.sentAt?.toISOString() ?? ''],
      ['State', stateOf(row)],
      ['Attempts', String(row.attempts)],
      ['Reason', row.reason ?? ''],
    ].filter(([, value]) => value !== '');
    return `${table(fields)}\n\n${isSecret ? '(The text contains a code or link and is not shown.)' : row.body}`;
  },
};

const retry: Command = {
  name: 'mail retry',
  usage: '<id>',
  summary: 'send a message again that could not be sent',
  async run(args, { database, audit, actor }) {
    const id = idIn(args);
    await database.transaction(async (manager) => {
      const retried = await retryStuckWork(manager, DELIVERY, id);
      if (retried === 0) throw new UsageError(`no failed message ${id}`);
      await audit.record({ actor, action: 'mail.retry', details: { id } }, manager);
    });
    return `${id} will be sent again`;
  },
};

export const mailCommands: readonly Command[] = [list, show, retry];
