import { type JobOutcome, objectKeys } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { RunRow } from './run.entity.js';
import { type RegisteredKind, RunKinds } from './run-kind.js';
import { notifySettled } from './run-notifications.js';
import { RunsRepository } from './runs.repository.js';

/** Ends each run exactly once, however often its outcome is reported. */
@Injectable()
export class Settlement {
  private readonly logger = new Logger(Settlement.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: RunsRepository,
    private readonly kinds: RunKinds,
    private readonly store: ObjectStore,
  ) {}

  /** A final run stays as it is. Deletes the files of a run that did not complete. */
  async settle(run: RunRow, outcome: JobOutcome): Promise<void> {
    const registered = this.kinds.find(run.kind);
    if (!registered) throw new Error(`unknown kind of run: ${run.kind}`);
    const settled = await this.database.transaction((manager) => this.apply(manager, registered, run, outcome));
    if (settled) {
      await registered.kind.settled?.(run, outcome);
      if (outcome.kind === 'completed') await this.repository.measure(run.id);
    }
    const final = settled ? outcome.kind : (await this.repository.find(run.id))?.status;
    if (final !== 'completed') await this.discard(run.subjectId, run.id);
  }

  async discard(subjectId: string, runId: string): Promise<void> {
    await this.store.delete(objectKeys.run(subjectId, runId));
  }

  private async apply(
    manager: EntityManager,
    { kind }: RegisteredKind,
    run: RunRow,
    outcome: JobOutcome,
  ): Promise<boolean> {
    const subject = await kind.lock(manager, run);
    const isFirst = await this.repository.close(manager, {
      id: run.id,
      status: subject === null ? 'cancelled' : outcome.kind,
      errorCode: 'errorCode' in outcome ? outcome.errorCode : null,
      megapixels: outcome.kind === 'completed' ? (kind.megapixelsOf?.(outcome) ?? run.megapixels) : run.megapixels,
    });
    if (!isFirst || subject === null) return false;
    await kind.settle(manager, run, subject, outcome);
    await notifySettled(manager, run.id, run.subjectId);
    this.logger.debug({ runId: run.id, kind: run.kind, outcome: outcome.kind }, 'a run is settled');
    return true;
  }
}
