import { createHash } from 'node:crypto';
import { type Flags, parseFlags } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuditRepository } from '../audit/audit.repository.js';
import { AppError } from '../platform/errors/app-error.js';
import { FlagsService } from '../platform/flags/flags.service.js';
import type { Segment } from './definition.js';
import { type ExperimentRow, ExperimentsRepository } from './experiments.repository.js';
import { type ForcedSegment, VisitorsRepository } from './visitors.repository.js';

/** Bytes of the hash that are used: the largest integer that a double holds exactly has 53 bits. */
const HASH_BYTES = 6;
const HASH_RANGE = 2 ** (8 * HASH_BYTES);

interface Assignable {
  readonly id: string;
  readonly segments: readonly Segment[];
}

/**
 * The segment of a visitor, by weight. It follows from both ids alone: segments of one experiment are independent of
 * those of another, and no assignment needs to be stored.
 */
export function assignSegment({ id, segments }: Assignable, localStorageId: string): Segment | null {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, localStorageId]))
    .digest()
    .readUIntBE(0, HASH_BYTES);
  const total = segments.reduce((sum, { weight }) => sum + weight, 0);
  let rest = (hash / HASH_RANGE) * total;
  for (const segment of segments) {
    rest -= segment.weight;
    if (rest < 0) return segment;
  }
  return null;
}

const CACHE_MS = 500;
/** Browsers of a user that are recorded. */
const MAX_IDS = 20;

/** The visitor whose segments are read; at least one id. */
export interface ExperimentVisitor {
  readonly userId: string | null;
  readonly localStorageId: string | null;
}

export interface Assignment {
  readonly experiment: ExperimentRow;
  /** Null outside of the experiment. */
  readonly segment: Segment | null;
  readonly isForced: boolean;
}

@Injectable()
export class ExperimentsService {
  private readonly cachedOpen = new Cached<readonly ExperimentRow[]>(CACHE_MS, () => this.experiments.listOpen());

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly experiments: ExperimentsRepository,
    private readonly visitors: VisitorsRepository,
    private readonly audit: AuditRepository,
  ) {}

  /** Assignments of all open experiments, in the order of their creation. */
  async assignmentsOf(visitor: ExperimentVisitor): Promise<readonly Assignment[]> {
    return this.assign(await this.cachedOpen.get(), visitor);
  }

  /** Like {@link assignmentsOf}, but reads the experiments again instead of using cached ones. */
  async currentAssignmentsOf(visitor: ExperimentVisitor): Promise<readonly Assignment[]> {
    return this.assign(await this.experiments.listOpen(), visitor);
  }

  /**
   * Puts a browser, and all browsers of a user, into segments.
   * @throws AppError `experiments.not_found`, `experiments.segment_unknown`
   */
  async force(
    visitor: ExperimentVisitor & { readonly localStorageId: string },
    forced: readonly ForcedSegment[],
  ): Promise<void> {
    const open = await this.experiments.listOpen();
    for (const { experimentId, segmentId } of forced) {
      const experiment = open.find(({ id }) => id === experimentId);
      if (!experiment) throw new AppError('experiments.not_found', { details: { id: experimentId } });
      if (segmentId !== null && !experiment.segments.some(({ id }) => id === segmentId)) {
        throw new AppError('experiments.segment_unknown', { details: { id: experimentId, segment_id: segmentId } });
      }
    }
    const ids = new Set([visitor.localStorageId, (await this.keyOf(visitor)) ?? visitor.localStorageId]);
    const actor = visitor.userId === null ? 'anonymous' : `user:${visitor.userId}`;
    await this.database.transaction(async (manager) => {
      for (const id of ids) for (const one of forced) await this.visitors.force(manager, id, one);
      await this.audit.record({ actor, action: 'experiments.force', details: { forced } }, manager);
    });
  }

  private async assign(open: readonly ExperimentRow[], visitor: ExperimentVisitor): Promise<readonly Assignment[]> {
    if (open.length === 0) return [];
    const key = await this.keyOf(visitor);
    if (key === null) return [];
    const forced = new Map((await this.visitors.forcedFor(key)).map((one) => [one.experimentId, one.segmentId]));
    return open.map((experiment) => {
      const segmentId = forced.get(experiment.id);
      if (segmentId !== undefined) {
        const segment = experiment.segments.find(({ id }) => id === segmentId) ?? null;
        return { experiment, segment, isForced: true };
      }
      const segment = experiment.state === 'running' ? assignSegment(experiment, key) : null;
      return { experiment, segment, isForced: false };
    });
  }

  /** Segments are computed from the first browser's id of a user, so that all browsers show the same. */
  private async keyOf({ userId, localStorageId }: ExperimentVisitor): Promise<string | null> {
    if (userId === null) return localStorageId;
    const ids = await this.visitors.idsOf(userId);
    if (localStorageId !== null && ids.length < MAX_IDS && !ids.includes(localStorageId)) {
      await this.visitors.add(userId, localStorageId);
    }
    return ids[0] ?? localStorageId;
  }
}

interface VisitorSettings {
  /** Defaults, then operators' overrides, then the segments of experiments. */
  readonly flags: Flags;
  /** Experiment → segment. */
  readonly experiments: Readonly<Record<string, string>>;
}

/** What they switch off is refused, so payments read them here too. */
@Injectable()
export class VisitorFlags {
  constructor(
    private readonly flags: FlagsService,
    private readonly experiments: ExperimentsService,
  ) {}

  async of(visitor: ExperimentVisitor): Promise<VisitorSettings> {
    const [flags, assignments] = await Promise.all([this.flags.current(), this.experiments.assignmentsOf(visitor)]);
    const taken = assignments.flatMap(({ experiment, segment }) => (segment ? [{ experiment, segment }] : []));
    return {
      flags: Object.assign({}, flags, ...taken.map(({ segment }) => parseFlags(segment.flags).flags)),
      experiments: Object.fromEntries(taken.map(({ experiment, segment }) => [experiment.id, segment.id])),
    };
  }

  async ofUser(userId: string): Promise<Flags> {
    return (await this.of({ userId, localStorageId: null })).flags;
  }
}
