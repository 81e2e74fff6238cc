import { renderSharePreview, type SharedFile, type TaskSharing } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, MoreThan, PrimaryColumn } from 'typeorm';
import { z } from 'zod';
import { AppConfig } from '../platform/config/app.config.js';
import { JsonColumn } from '../platform/database/json-column.js';
import { deleteInBatches } from '../platform/database/statements.js';

const PreviewSource = renderSharePreview.payload.pick({ beforeKey: true, afterKey: true, focus: true });
export type PreviewSource = Readonly<z.infer<typeof PreviewSource>>;

const SharePreview = PreviewSource.extend({
  runId: z.string(),
  status: z.enum(['pending', 'ready', 'failed']),
  image: renderSharePreview.result.nullable(),
});
export type SharePreview = Readonly<z.infer<typeof SharePreview>>;

/** A public link to a task. Its owner is the task's. */
@Entity('sharings')
export class SharingRow {
  /** 128 random bits in base64url. */
  @PrimaryColumn('text')
  id!: string;

  /** Null once retention has processed an expired link, which outlives the task. */
  @Column('uuid', { nullable: true })
  taskId!: string | null;

  @JsonColumn(SharePreview, { nullable: true })
  preview!: SharePreview | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}

@Injectable()
export class SharingsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  find(id: string): Promise<SharingRow | null> {
    return this.database.manager.findOneBy(SharingRow, { id });
  }

  findLive(taskId: string, manager: EntityManager = this.database.manager): Promise<SharingRow | null> {
    return manager.findOneBy(SharingRow, { taskId, expiresAt: MoreThan(new Date()) });
  }

  listOfUser(userId: string): Promise<SharingRow[]> {
    return this.database.manager
      .createQueryBuilder(SharingRow, 'sharing')
      .where('sharing.taskId IN (SELECT id FROM tasks WHERE user_id = :userId)', { userId })
      .orderBy('sharing.createdAt')
      .getMany();
  }

  lock(manager: EntityManager, id: string): Promise<SharingRow | null> {
    return manager.findOne(SharingRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  lockOwn(manager: EntityManager, userId: string, id: string): Promise<SharingRow | null> {
    return manager
      .createQueryBuilder(SharingRow, 'sharing')
      .setLock('pessimistic_write')
      .where('sharing.id = :id', { id })
      .andWhere('sharing.taskId IN (SELECT id FROM tasks WHERE user_id = :userId)', { userId })
      .getOne();
  }

  findOfPreview(manager: EntityManager, taskId: string, runId: string, locks: boolean): Promise<SharingRow | null> {
    const query = manager
      .createQueryBuilder(SharingRow, 'sharing')
      .where({ taskId })
      .andWhere(`sharing.preview ->> 'runId' = :runId`, { runId });
    return (locks ? query.setLock('pessimistic_write') : query).getOne();
  }

  async insert(manager: EntityManager, row: SharingRow): Promise<void> {
    await manager.insert(SharingRow, row);
  }

  async setPreview(manager: EntityManager, id: string, preview: SharingRow['preview']): Promise<void> {
    await manager.query('UPDATE sharings SET preview = $2 WHERE id = $1', [id, preview && JSON.stringify(preview)]);
  }

  /** For a change of what the link shows. */
  async markPreviewDue(manager: EntityManager, taskIds: readonly string[]): Promise<void> {
    await manager.query(
      'UPDATE sharings SET preview_due_at = clock_timestamp() WHERE task_id = ANY ($1) AND expires_at > now()',
      [taskIds],
    );
  }

  /** As text: a Date is less precise. */
  async previewDueAt(id: string): Promise<string | null> {
    const [row]: { due: string | null }[] = await this.database.query(
      'SELECT preview_due_at::text AS due FROM sharings WHERE id = $1',
      [id],
    );
    return row?.due ?? null;
  }

  /** Keeps a mark that was set after `due`. */
  async clearPreviewDue(id: string, due: string | null): Promise<void> {
    await this.database.query('UPDATE sharings SET preview_due_at = NULL WHERE id = $1 AND preview_due_at::text = $2', [
      id,
      due,
    ]);
  }

  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(SharingRow, { id });
  }

  async detach(id: string): Promise<void> {
    await this.database.query('UPDATE sharings SET task_id = NULL, preview = NULL WHERE id = $1', [id]);
  }

  async deleteDetached(afterDays: number): Promise<void> {
    const isOld = 'task_id IS NULL AND expires_at < now() - make_interval(days => $1)';
    await deleteInBatches(this.database, 'sharings', isOld, [afterDays]);
  }
}

/** What tasks show of their links, which have routes of their own. */
@Injectable()
export class SharingLinks {
  constructor(
    private readonly repository: SharingsRepository,
    private readonly app: AppConfig,
  ) {}

  async findLive(taskId: string): Promise<TaskSharing | null> {
    const row = await this.repository.findLive(taskId);
    return row && this.present(row);
  }

  present({ id, expiresAt }: Pick<SharingRow, 'id' | 'expiresAt'>): TaskSharing {
    return { sharingId: id, url: `${this.app.publicUrl}/s/${id}`, expiresAt: expiresAt.toISOString() };
  }

  fileUrl({ id }: Pick<SharingRow, 'id'>, file: SharedFile): string {
    return `${this.app.publicUrl}/media/shares/${id}/${file}`;
  }
}
