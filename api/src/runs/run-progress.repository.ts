import { RUN_QUEUES, type RunProgressReport, type RunQueue } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { RunKinds } from './run-kind.js';
import { INTERPOLATED, RANKED, SIZE_CLASSES } from './runs.repository.js';
import { WorkerSlots } from './worker-slots.js';

/** Lifetime of a ranking in multiples of its computation: it takes at most a twentieth of the time. */
const RANKING_LIFETIME_FACTOR = 20;

/** Progress from which the time so far tells something, and that from which it tells all. */
const MEASURED_PROGRESS = 0.05;
const CERTAIN_PROGRESS = 0.5;
/** The running ones take at most this many times what was expected, or as small a part of it. */
const MAX_PACE = 10;

export interface RunProgress {
  readonly progress: number;
  readonly place: number;
  /** Estimate; null while no run of its kind was measured. */
  readonly remainingSeconds: number | null;
  readonly previewKeys: RunProgressReport['previewKeys'] | null;
}

/** Places and remaining times of open runs, which follow from all others of their queue: ranked for all callers at once. */
@Injectable()
export class RunRankings {
  private readonly rankings = new Map(
    RUN_QUEUES.map((queue) => [
      queue,
      new Cached(
        (loadMs) => loadMs * RANKING_LIFETIME_FACTOR,
        () => this.rank(queue),
      ),
    ]),
  );

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly kinds: RunKinds,
    private readonly slots: WorkerSlots,
  ) {}

  invalidate(queue: RunQueue): void {
    this.rankings.get(queue)?.invalidate();
  }

  /** Open runs by id; final ones are omitted. */
  async progressOf(
    runIds: readonly string[],
    queues: readonly RunQueue[] = RUN_QUEUES,
  ): Promise<ReadonlyMap<string, RunProgress>> {
    const found = new Map<string, RunProgress>();
    for (const queue of queues) {
      const missing = runIds.filter((id) => !found.has(id));
      // Most callers need one run: ranking another queue would be wasted.
      if (missing.length === 0) break;
      const ranking = await this.rankings.get(queue)?.get();
      for (const id of missing) {
        const progress = ranking?.get(id);
        if (progress) found.set(id, progress);
      }
    }
    return found;
  }

  /**
   * Open runs of a queue by id. A running one takes what its progress has taken so far, as far as that tells, and else
   * what such runs took before. A waiting one begins when a slot is free and those before it are done, at the pace of the
   * running ones.
   */
  private async rank(queue: RunQueue): Promise<ReadonlyMap<string, RunProgress>> {
    const rows: {
      id: string;
      progress: number;
      place: string;
      seconds: number | null;
      previewKeys: RunProgress['previewKeys'];
    }[] = await this.database.query(
      `WITH ranked AS (${RANKED}), ready AS (
         SELECT id, row_number() OVER (ORDER BY dispatched_at, id) AS turn
         FROM runs WHERE queue = $1 AND status = 'dispatched' AND started_at IS NULL
       ), places AS (
         SELECT id, turn FROM ready
         UNION ALL SELECT id, turn + (SELECT count(*) FROM ready) FROM ranked
         UNION ALL SELECT id, 0 FROM runs WHERE queue = $1 AND status = 'dispatched' AND started_at IS NOT NULL
       ), expected AS (
         SELECT id, places.turn, shown, preview_keys, coalesce(estimated_seconds, own.seconds, mean.seconds) AS seconds,
           CASE WHEN places.turn = 0 AND shown >= $5::real THEN extract(epoch FROM now() - started_at)::real / shown END AS measured,
           CASE WHEN estimated_seconds IS NULL THEN least(1, shown / $6::real) ELSE 1 END AS certainty
         FROM places JOIN runs USING (id) CROSS JOIN LATERAL (SELECT ${INTERPOLATED} AS shown) p
         LEFT JOIN run_durations mean ON mean.queue = $1 AND mean.kind = runs.kind AND mean.size_class = 0
         LEFT JOIN LATERAL (
           SELECT d.seconds FROM run_durations d, (SELECT min(c) AS class FROM unnest($4::real[]) c WHERE c >= megapixels) s
           WHERE d.queue = $1 AND d.kind = runs.kind AND d.size_class > 0 AND s.class IS NOT NULL
           ORDER BY abs(ln(d.size_class / s.class)) LIMIT 1
         ) own ON true
       ), running AS (
         SELECT id, greatest(1, (1 - shown) * coalesce(measured * certainty + seconds * (1 - certainty), measured, seconds)) AS rest
         FROM expected WHERE turn = 0
       ), pace AS (
         SELECT CASE WHEN sum(seconds) > 0 THEN least($7::real, greatest(1 / $7::real, sum(measured) / sum(seconds))) ELSE 1 END AS factor FROM expected WHERE measured IS NOT NULL
       ), busy AS (
         SELECT count(*) AS runs, coalesce(sum(rest), 0) AS rest FROM running
       ), ahead AS (
         SELECT id, coalesce(sum(seconds) OVER (ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS seconds
         FROM expected WHERE turn > 0
       )
       SELECT id, shown AS progress, turn AS place, preview_keys AS "previewKeys",
         coalesce(running.rest, e.seconds * factor + CASE WHEN busy.runs + turn <= $3 THEN 0
           ELSE (busy.rest + ahead.seconds * factor) / $3 END)::real AS seconds
       FROM expected e LEFT JOIN running USING (id) LEFT JOIN ahead USING (id) CROSS JOIN pace CROSS JOIN busy`,
      [
        queue,
        this.kinds.names,
        this.slots.lastCountOf(queue),
        SIZE_CLASSES,
        MEASURED_PROGRESS,
        CERTAIN_PROGRESS,
        MAX_PACE,
      ],
    );
    return new Map(
      rows.map(({ id, progress, place, seconds, previewKeys }) => [
        id,
        { progress, place: Number(place), remainingSeconds: seconds === null ? null : Math.ceil(seconds), previewKeys },
      ]),
    );
  }
}
