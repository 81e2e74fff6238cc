import { type RunProgressReport, type RunQueue, renderImage } from '@clearframe/contract';
import { activeTraceparent } from '@clearframe/runtime/tracing';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { LAST_ATTEMPT, OPEN_RUN_STATUSES, type RunPriority, RunRow } from './run.entity.js';

/**
 * Longest wait of a free run behind paying ones. An older one is overdue, and every second free place goes to an overdue run
 * while there are any: a steady paid load delays free users by a known time, and an overload of free users leaves payers
 * at least half of the places.
 */
const OVERDUE = `interval '60 seconds'`;

/** Priorities of a class: paying users, and others. Only turns of one class are compared. */
const CLASS = '(SELECT priority FROM unnest(ARRAY[0, 1, 2]) AS priority WHERE (priority = 0) = ($4 = 0))';

/**
 * Where a class is in its rounds: the turn that was dispatched last in the queue, but the turn of the first that waits, or one
 * before it.
 */
const roundAt = (first: string): string => `coalesce(greatest(least(
  (SELECT turn FROM runs WHERE queue = $1 AND dispatched_at IS NOT NULL ORDER BY dispatched_at DESC LIMIT 1),
  ${first}), ${first} - 1), 0)`;

/**
 * The turn of a new run of a queue ($1), kind ($2), user ($3) and priority ($4): in this round, or the next one if the user
 * was served in this one, or after the runs that the user has waiting. So users are served round robin, however many runs
 * one has waiting, and the next runs are the first entries of an index (start-time fair queueing).
 */
const TURN = `
  SELECT greatest(now.round + coalesce((served.turn >= now.round)::int, 0), own.turn + 1) AS turn
  FROM (
    SELECT min(f.turn) AS turn FROM ${CLASS} c, LATERAL (
      SELECT turn FROM runs WHERE queue = $1 AND kind = $2 AND priority = c.priority AND status = 'waiting'
      ORDER BY turn, created_at, id LIMIT 1
    ) f
  ) first
  CROSS JOIN LATERAL (SELECT ${roundAt('first.turn')} AS round) now
  LEFT JOIN LATERAL (
    SELECT turn FROM runs WHERE queue = $1 AND user_id = $3 AND dispatched_at IS NOT NULL ORDER BY dispatched_at DESC LIMIT 1
  ) served ON true
  CROSS JOIN (
    SELECT max(w.turn) AS turn FROM ${CLASS} c, LATERAL (
      SELECT turn FROM runs WHERE queue = $1 AND user_id = $3 AND priority = c.priority AND status = 'waiting'
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) w WHERE c.priority <= $4
  ) own`;

/**
 * Runs in the order of their dispatch: paying users first, overdue runs of others in turns with them, then the other free
 * ones.
 * @param waiting statement of waiting runs of the queue in $1
 */
const ranked = (waiting: string): string => `
  SELECT id, kind, row_number() OVER (
    ORDER BY lane = 'free', place, lane = coalesce(
      (SELECT CASE priority WHEN 0 THEN 'paying' ELSE 'overdue' END
       FROM runs WHERE queue = $1 AND dispatched_at IS NOT NULL ORDER BY dispatched_at DESC LIMIT 1), 'overdue')
  ) AS turn
  FROM (
    SELECT id, kind, lane, row_number() OVER (PARTITION BY lane ORDER BY turn, created_at, id) AS place
    FROM (
      SELECT *, CASE WHEN priority = 0 THEN 'paying' WHEN priority = 1 AND created_at < now() - ${OVERDUE} THEN 'overdue'
        ELSE 'free' END AS lane
      FROM (${waiting}) waiting
    ) lanes
  ) places`;

/** Waiting runs of a queue ($1) and of known kinds ($2) with their turn. */
export const RANKED = ranked(`
  SELECT id, kind, priority, turn, created_at FROM runs WHERE queue = $1 AND status = 'waiting' AND kind = ANY ($2)`);

const WAITS_AS = `queue = $1 AND kind = k.kind AND status = 'waiting'`;

/**
 * The runs of a queue that can be next: of each kind in $2 as many as its number in $3. Only an overdue run can be between
 * one of them and a free one, which makes twice as many of each priority.
 */
const CANDIDATES = `
  SELECT DISTINCT c.* FROM unnest($2::text[], $3::int[]) AS k (kind, free), LATERAL (
    SELECT w.* FROM unnest(ARRAY[0, 1, 2]) AS p (priority), LATERAL (
      SELECT id, kind, priority, turn, created_at FROM runs WHERE ${WAITS_AS} AND priority = p.priority
      ORDER BY turn, created_at, id LIMIT 2 * k.free
    ) w
    UNION ALL (
      SELECT id, kind, priority, turn, created_at FROM runs
      WHERE ${WAITS_AS} AND priority = 1 AND created_at < now() - ${OVERDUE} ORDER BY turn, created_at, id
      LIMIT CASE WHEN (
        SELECT min(created_at) FROM runs WHERE queue = $1 AND status = 'waiting' AND priority = 1
      ) < now() - ${OVERDUE} THEN k.free ELSE 0 END
    )
  ) c`;

/** The next runs, of each kind at most the number at its place in $3. */
export const NEXT = `
  SELECT id FROM (SELECT *, row_number() OVER (PARTITION BY kind ORDER BY turn) AS nth FROM (${ranked(CANDIDATES)}) ranked) r
  JOIN unnest($2::text[], $3::int[]) AS k (kind, free) USING (kind)
  WHERE nth <= free ORDER BY turn`;

/**
 * Waiting runs of a queue ($1) whose turn is later than the user's other ones account for, after runs before them were
 * cancelled or came from another account, with the turn that they should have.
 */
const LATE = `
  SELECT id, round + nth + 1 AS turn FROM (
    SELECT id, kind, priority = 0 AS is_paying, turn,
      row_number() OVER (PARTITION BY user_id ORDER BY priority, created_at, id) AS nth
    FROM runs WHERE queue = $1 AND status = 'waiting'
  ) waiting
  JOIN (
    SELECT kind, is_paying, ${roundAt('first')} AS round FROM (
      SELECT kind, priority = 0 AS is_paying, min(turn) AS first FROM runs WHERE queue = $1 AND status = 'waiting' GROUP BY 1, 2
    ) firsts
  ) rounds USING (kind, is_paying)
  WHERE waiting.turn > round + nth + 1`;

const OPEN = `status IN ('waiting', 'dispatched')`;
/** Those of large pictures are in another queue. */
const IS_RENDER = `(queue = 'renders' OR kind = '${renderImage.name}')`;
const COUNTS_TOWARD_LIMIT = `${OPEN} AND NOT ${IS_RENDER}`;
const OPEN_RENDERS = `${OPEN} AND ${IS_RENDER}`;

/**
 * Progress now: it grows linearly to the end of the running step. A report may be newer than now(), which is when the
 * reading transaction began.
 */
export const INTERPOLATED = `CASE WHEN progress_until > progress AND progress_seconds > 0
  THEN progress + (progress_until - progress)
    * least(1, greatest(0, extract(epoch FROM now() - progress_at)::real / progress_seconds))
  ELSE progress END`;

/** Upper bound of each class in megapixels; 0 represents all sizes. */
export const SIZE_CLASSES = [1, 2, 4, 8, 16, 1_000_000] as const;
/** Weight of the newest duration in an average that is measured often; more after a pause, when the load may be another. */
const AVERAGE_WEIGHT = 0.1;
const WEIGHT_AFTER_PAUSE = 0.5;
const PAUSE_SECONDS = 600;

export type NewRun = Pick<RunRow, 'id' | 'kind' | 'subjectId' | 'userId' | 'queue' | 'priority'> &
  Partial<Pick<RunRow, 'estimatedSeconds' | 'megapixels'>>;

@Injectable()
export class RunsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  find(id: string): Promise<RunRow | null> {
    return this.database.manager.findOneBy(RunRow, { id });
  }

  async insert(manager: EntityManager, run: NewRun): Promise<void> {
    const traceparent = activeTraceparent();
    const turn = await this.turnOf(manager, run);
    await manager.insert(RunRow, {
      ...run,
      turn,
      status: 'waiting',
      traceparent,
      createdAt: () => 'clock_timestamp()',
    });
  }

  private async turnOf(
    manager: EntityManager,
    { queue, kind, userId, priority }: Pick<RunRow, 'queue' | 'kind' | 'userId' | 'priority'>,
  ): Promise<number> {
    const [row]: { turn: number }[] = await manager.query(TURN, [queue, kind, userId, priority]);
    return row?.turn ?? 0;
  }

  async setPriority(manager: EntityManager, id: string, priority: RunPriority): Promise<void> {
    const run = await manager.findOneBy(RunRow, { id, status: 'waiting' });
    if (!run || run.priority === priority) return;
    const turn = await this.turnOf(manager, { ...run, priority });
    await manager.update(RunRow, { id, status: 'waiting' }, { priority, turn });
  }

  /** Moves runs forward that wait longer than their users' other runs account for. */
  async closeGaps(queue: RunQueue): Promise<void> {
    await this.database.query(
      `WITH late AS MATERIALIZED (${LATE}), held AS (
         SELECT r.id FROM runs r JOIN late USING (id) WHERE r.status = 'waiting' FOR UPDATE OF r SKIP LOCKED
       )
       UPDATE runs SET turn = late.turn FROM late JOIN held USING (id) WHERE runs.id = late.id`,
      [queue],
    );
  }

  /** @param limits by kind; other kinds wait */
  dispatchNext(queue: RunQueue, window: number, limits: ReadonlyMap<string, number>): Promise<RunRow[]> {
    return this.database.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`dispatch:${queue}`]);
      const counts: { kind: string; count: number }[] = await manager.query(
        `SELECT kind, count(*)::int AS count FROM runs WHERE queue = $1 AND status = 'dispatched' GROUP BY kind`,
        [queue],
      );
      const inWork = new Map(counts.map(({ kind, count }) => [kind, count]));
      const free = window - counts.reduce((sum, { count }) => sum + count, 0);
      if (free <= 0) return [];
      const next: { id: string }[] = await manager.query(`${NEXT} LIMIT $4`, [
        queue,
        [...limits.keys()],
        [...limits].map(([kind, limit]) => Math.min(free, Math.max(0, limit - (inWork.get(kind) ?? 0)))),
        free,
      ]);
      if (next.length === 0) return [];
      // Skips rows that a transaction is cancelling: nothing here waits for a lock of a run.
      const [taken]: { id: string }[][] = await manager.query(
        `UPDATE runs SET status = 'dispatched', dispatched_at = clock_timestamp(), attempts = attempts + 1, reason = NULL
         WHERE id IN (SELECT id FROM runs WHERE id = ANY ($1) AND status = 'waiting' FOR UPDATE SKIP LOCKED)
         RETURNING id`,
        [next.map(({ id }) => id)],
      );
      return manager.find(RunRow, {
        where: { id: In((taken ?? []).map(({ id }) => id)) },
        order: { createdAt: 'ASC' },
      });
    });
  }

  dispatchedBefore(queue: RunQueue, graceMs: number, limit: number): Promise<RunRow[]> {
    return this.database.manager
      .createQueryBuilder(RunRow, 'run')
      .where({ queue, status: 'dispatched' })
      .andWhere(`run.dispatchedAt < now() - make_interval(secs => :grace)`, { grace: graceMs / 1000 })
      .orderBy('run.dispatchedAt')
      .limit(limit)
      .getMany();
  }

  /** Says for operators why runs of these kinds wait, and clears it for others. */
  async explainWaiting(queue: RunQueue, unserved: readonly string[], reason: string): Promise<void> {
    await this.database.query(
      `UPDATE runs SET reason = CASE WHEN kind = ANY ($2) THEN $3 END WHERE id IN (
         SELECT id FROM runs WHERE queue = $1 AND status = 'waiting'
           AND reason IS DISTINCT FROM CASE WHEN kind = ANY ($2) THEN $3 END FOR UPDATE SKIP LOCKED)`,
      [queue, unserved, reason],
    );
  }

  /** Undoes the dispatch of a run that this version or its workers can't take. */
  async returnToWaiting(id: string): Promise<void> {
    await this.database.query(
      `UPDATE runs SET status = 'waiting', attempts = greatest(attempts - 1, 0), dispatched_at = NULL, started_at = NULL,
         reason = NULL
       WHERE id = $1 AND status = 'dispatched'`,
      [id],
    );
  }

  async recordFailure(id: string, reason: string): Promise<void> {
    await this.database.query(`UPDATE runs SET reason = $2 WHERE id = $1 AND status IN ('waiting', 'dispatched')`, [
      id,
      reason,
    ]);
  }

  async countAttempt(id: string): Promise<void> {
    await this.database.query('UPDATE runs SET attempts = attempts + 1 WHERE id = $1', [id]);
  }

  /** Records the start too. Never decreases the progress that was shown in between. */
  async recordProgress(id: string, { progress, until, seconds, previewKeys }: RunProgressReport): Promise<void> {
    await this.database.query(
      `UPDATE runs SET progress = greatest(${INTERPOLATED}, $2), progress_at = now(), progress_until = $3,
         progress_seconds = $4, started_at = coalesce(started_at, now()), preview_keys = coalesce($5::jsonb, preview_keys)
       WHERE id = $1 AND status = 'dispatched'`,
      [id, progress, until ?? null, seconds ?? null, previewKeys ? JSON.stringify(previewKeys) : null],
    );
  }

  async close(
    manager: EntityManager,
    run: Pick<RunRow, 'id' | 'status' | 'errorCode' | 'megapixels'>,
  ): Promise<boolean> {
    const { affected } = await manager.update(
      RunRow,
      { id: run.id, status: In([...OPEN_RUN_STATUSES]) },
      {
        status: run.status,
        errorCode: run.errorCode,
        megapixels: run.megapixels,
        finishedAt: () => 'clock_timestamp()',
      },
    );
    return affected === 1;
  }

  async cancelOpen(manager: EntityManager, subjectId: string): Promise<void> {
    await manager.query(
      `UPDATE runs SET status = 'cancelled', finished_at = clock_timestamp()
       WHERE subject_id = $1 AND status IN ('waiting', 'dispatched')`,
      [subjectId],
    );
  }

  /** @param reason unless a failure was recorded */
  async abandon(id: string, reason: string): Promise<void> {
    await this.database.query(
      `UPDATE runs SET status = 'failed', error_code = 'tasks.failed', finished_at = clock_timestamp(),
         reason = coalesce(reason, $2)
       WHERE id = $1 AND status IN ('waiting', 'dispatched')`,
      [id, reason],
    );
  }

  /** Adds the duration of a completed run to the averages of its queue and kind: light runs take a tenth of heavy ones. */
  async measure(id: string): Promise<void> {
    await this.database.query(
      `INSERT INTO run_durations AS a (queue, kind, size_class, seconds, samples, measured_at)
       SELECT queue, kind, class, extract(epoch FROM finished_at - started_at), 1, now()
       FROM runs, unnest(ARRAY[0, (SELECT min(c) FROM unnest($2::real[]) c WHERE c >= megapixels)]) AS class
       WHERE id = $1 AND started_at IS NOT NULL AND finished_at IS NOT NULL AND class IS NOT NULL
       ORDER BY class
       ON CONFLICT (queue, kind, size_class) DO UPDATE SET samples = a.samples + 1, measured_at = excluded.measured_at,
         seconds = a.seconds + (excluded.seconds - a.seconds) * greatest($3::real, 1 / (a.samples + 1)::real,
           least($4::real, extract(epoch FROM excluded.measured_at - a.measured_at)::real / $5::real))`,
      [id, SIZE_CLASSES, AVERAGE_WEIGHT, WEIGHT_AFTER_PAUSE, PAUSE_SECONDS],
    );
  }

  /** Average seconds of runs of the nearest size; null while none was measured. */
  async expectedSeconds(queue: RunQueue, kind: string, megapixels: number): Promise<number | null> {
    const [row]: { seconds: number }[] = await this.database.query(
      `SELECT d.seconds FROM run_durations d, (SELECT min(c) AS class FROM unnest($3::real[]) c WHERE c >= $4::real) s
       WHERE d.queue = $1 AND d.kind = $2 AND d.size_class > 0 ORDER BY abs(ln(d.size_class / s.class)) LIMIT 1`,
      [queue, kind, SIZE_CLASSES, megapixels],
    );
    return row?.seconds ?? null;
  }

  async countOpen(
    manager: EntityManager,
    userId: string,
    limits: { readonly own: number; readonly all: number },
  ): Promise<{ own: number; all: number }> {
    const [counts]: { own: string; all: string }[] = await manager.query(
      `SELECT (SELECT count(*) FROM (SELECT FROM runs WHERE user_id = $1 AND ${COUNTS_TOWARD_LIMIT} LIMIT $2) o) AS own,
              (SELECT count(*) FROM (SELECT FROM runs WHERE ${COUNTS_TOWARD_LIMIT} LIMIT $3) a) AS all`,
      [userId, limits.own, limits.all],
    );
    return { own: Number(counts?.own ?? 0), all: Number(counts?.all ?? 0) };
  }

  async countOpenRenders(
    userId: string,
    limit: number,
    manager: EntityManager = this.database.manager,
  ): Promise<number> {
    const [row]: { count: string }[] = await manager.query(
      `SELECT count(*) FROM (SELECT FROM runs WHERE user_id = $1 AND ${OPEN_RENDERS} LIMIT $2) o`,
      [userId, limit],
    );
    return Number(row?.count ?? 0);
  }

  async deleteRuns(manager: EntityManager, subjectIds: readonly string[]): Promise<void> {
    await manager.query('DELETE FROM runs WHERE subject_id = ANY ($1)', [subjectIds]);
  }

  async deleteRunsOfUser(userId: string): Promise<void> {
    await this.database.query('DELETE FROM runs WHERE user_id = $1', [userId]);
  }

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE runs SET user_id = $2 WHERE user_id = $1', [from, to]);
  }
}

export const listAbandonedRuns = (
  manager: EntityManager,
): Promise<Pick<RunRow, 'id' | 'kind' | 'attempts' | 'createdAt' | 'reason'>[]> =>
  manager.query(
    `SELECT id, kind, attempts, created_at AS "createdAt", reason FROM runs
     WHERE status = 'failed' AND attempts > $1 ORDER BY created_at, id`,
    [LAST_ATTEMPT],
  );

export async function retryAbandonedRuns(manager: EntityManager, id?: string): Promise<number> {
  const [, count]: [unknown[], number] = await manager.query(
    `UPDATE runs SET status = 'waiting', attempts = 0, progress = 0, progress_until = NULL, error_code = NULL, reason = NULL,
       dispatched_at = NULL, started_at = NULL, finished_at = NULL
     WHERE status = 'failed' AND attempts > $1 AND ($2::text IS NULL OR id::text = $2)`,
    [LAST_ATTEMPT, id ?? null],
  );
  return count;
}

interface UnservedRuns {
  readonly kind: string;
  readonly count: number;
  readonly since: Date;
  readonly reason: string;
}

/**
 * Waiting runs that nothing takes, by kind: no connected worker has their job, or this version has no such kind.
 * @param known kinds of this version
 */
export const listUnservedRuns = (manager: EntityManager, known: readonly string[]): Promise<UnservedRuns[]> =>
  manager.query(
    `SELECT kind, count(*)::int AS count, min(created_at) AS since,
       coalesce(max(reason), 'this version has no such kind') AS reason
     FROM runs WHERE status = 'waiting' AND (reason IS NOT NULL OR kind <> ALL ($1)) GROUP BY kind ORDER BY since, kind`,
    [known],
  );
