import { type JobOutcome, type JobPayload, renderSharePreview } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RunRow } from '../runs/run.entity.js';
import { KindOfRun, type RunKind } from '../runs/run-kind.js';
import type { SharingRow } from './sharing.entity.js';
import { SharingsRepository } from './sharings.repository.js';

type Outcome = JobOutcome<typeof renderSharePreview>;

@Injectable()
@KindOfRun(renderSharePreview)
export class SharePreviewRun implements RunKind<typeof renderSharePreview, SharingRow> {
  constructor(private readonly repository: SharingsRepository) {}

  async payload(
    manager: EntityManager,
    { id, subjectId }: RunRow,
  ): Promise<JobPayload<typeof renderSharePreview> | null> {
    const preview = (await this.repository.findOfPreview(manager, subjectId, id, false))?.preview;
    if (!preview) return null;
    const { beforeKey, afterKey, focus } = preview;
    return { subjectId, runId: id, beforeKey, afterKey, focus };
  }

  lock(manager: EntityManager, { id, subjectId }: RunRow): Promise<SharingRow | null> {
    return this.repository.findOfPreview(manager, subjectId, id, true);
  }

  async settle(manager: EntityManager, _run: RunRow, { id, preview }: SharingRow, outcome: Outcome): Promise<void> {
    if (!preview) return;
    const image = outcome.kind === 'completed' ? outcome.result : null;
    await this.repository.setPreview(manager, id, { ...preview, status: image ? 'ready' : 'failed', image });
  }
}
