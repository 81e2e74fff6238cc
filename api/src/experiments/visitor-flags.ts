import { type Flags, parseFlags } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { FlagsService } from '../platform/flags/flags.service.js';
import { ExperimentsService, type ExperimentVisitor } from './experiments.service.js';

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
