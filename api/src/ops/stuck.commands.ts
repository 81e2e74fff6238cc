import { listStuckWork, retryStuckWork } from '../platform/schedule/stuck-work.js';
import { type Command, table, UsageError } from './command.js';

const list: Command = {
  name: 'stuck list',
  usage: '',
  summary: 'show scheduled work that failed: what was set aside, and what is still being retried',
  async run(_args, { database }) {
    const rows = await listStuckWork(database.manager);
    const cells = rows.map(({ kind, subject, attempts, since, nextAttemptAt, reason }) => [
      kind,
      subject,
      String(attempts),
      since.toISOString(),
      nextAttemptAt ? `retry at ${nextAttemptAt.toISOString()}` : 'set aside',
      reason,
    ]);
    return table([['KIND', 'SUBJECT', 'ATTEMPTS', 'SINCE', 'STATE', 'REASON'], ...cells]);
  },
};

const retry: Command = {
  name: 'stuck retry',
  usage: '<kind> [subject]',
  summary: 'attempt failed work again now; without a subject, all failed work of the kind',
  async run([kind, subject], { database, audit, actor }) {
    if (!kind) throw new UsageError('give the kind; `stuck list` shows it');
    const count = await database.transaction(async (manager) => {
      const retried = await retryStuckWork(manager, kind, subject);
      if (retried === 0) throw new UsageError(`no failed work of the kind ${kind}${subject ? ` for ${subject}` : ''}`);
      await audit.record({ actor, action: 'stuck.retry', details: { kind, subject: subject ?? null } }, manager);
      return retried;
    });
    return `${count} will be attempted again`;
  },
};

export const stuckCommands: readonly Command[] = [list, retry];
