import { listStuckWork, retryStuckWork } from '../../platform/schedule/stuck-work.js';
import { RunsRepository } from '../../runs/model/runs.repository.js';
import { type Command, table, UsageError } from './command.js';

/** Kind under which abandoned runs are listed. */
const ABANDONED_RUNS = 'runs.settle';

const list: Command = {
  name: 'stuck list',
  usage: '',
  summary: 'show failed scheduled work (set aside, or still being retried) and abandoned runs',
  async run(_args, { database }) {
    const work = await listStuckWork(database.manager);
    const runs = await new RunsRepository(database).listAbandoned();
    const cells = [
      ...work.map(({ kind, subject, attempts, since, nextAttemptAt, reason }) => [
        kind,
        subject,
        String(attempts),
        since.toISOString(),
        nextAttemptAt ? `retry at ${nextAttemptAt.toISOString()}` : 'set aside',
        reason,
      ]),
      ...runs.map(({ id, kind, attempts, createdAt, reason }) => [
        ABANDONED_RUNS,
        id,
        String(attempts),
        createdAt.toISOString(),
        'set aside',
        `${kind}: ${reason ?? 'abandoned by a version that recorded no reason'}`,
      ]),
    ];
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
      const retried =
        kind === ABANDONED_RUNS
          ? await new RunsRepository(database).retryAbandoned(manager, subject)
          : await retryStuckWork(manager, kind, subject);
      if (retried === 0) throw new UsageError(`no failed work of the kind ${kind}${subject ? ` for ${subject}` : ''}`);
      await audit.record({ actor, action: 'stuck.retry', details: { kind, subject: subject ?? null } }, manager);
      return retried;
    });
    return `${count} will be attempted again`;
  },
};

export const stuckCommands: readonly Command[] = [list, retry];
