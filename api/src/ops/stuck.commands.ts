import { JOBS } from '@clearframe/contract';
import { listStuckWork, retryStuckWork } from '../platform/schedule/work-claims.js';
import { listAbandonedRuns, listUnservedRuns, retryAbandonedRuns } from '../runs/runs.repository.js';
import { type Command, table, UsageError } from './command.js';

const ABANDONED_RUNS = 'runs.settle';
const UNSERVED_RUNS = 'runs.dispatch';

const list: Command = {
  name: 'stuck list',
  usage: '',
  summary:
    'show failed scheduled work (set aside, or still being retried), abandoned runs and runs that no worker takes',
  async run(_args, { database }) {
    const work = await listStuckWork(database.manager);
    const runs = await listAbandonedRuns(database.manager);
    const unserved = await listUnservedRuns(
      database.manager,
      JOBS.map(({ name }) => name),
    );
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
    cells.push(
      ...unserved.map(({ kind, count, since, reason }) => [
        UNSERVED_RUNS,
        kind,
        '0',
        since.toISOString(),
        `${count} waiting`,
        reason,
      ]),
    );
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
          ? await retryAbandonedRuns(manager, subject)
          : await retryStuckWork(manager, kind, subject);
      if (retried === 0) throw new UsageError(`no failed work of the kind ${kind}${subject ? ` for ${subject}` : ''}`);
      await audit.record({ actor, action: 'stuck.retry', details: { kind, subject: subject ?? null } }, manager);
      return retried;
    });
    return `${count} will be attempted again`;
  },
};

export const stuckCommands: readonly Command[] = [list, retry];
