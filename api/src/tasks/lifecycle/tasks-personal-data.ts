import { inSeconds, type UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { RunsService } from '../../runs/runs.service.js';
import { HoldsPersonalData, type PersonalData } from '../../users/personal-data.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { TaskRow } from '../records/task.entity.js';
import { RenditionRow } from '../renditions/rendition.entity.js';
import { TasksService } from './tasks.service.js';

/** How long an account's media is kept (decisions, section 3). */
const ACCOUNT_KEPT = `${inSeconds.days(30)} seconds`;

/** Somebody's pictures, as far as they are personal data. */
@Injectable()
@HoldsPersonalData(['tasks'])
export class TasksPersonalData implements PersonalData<'tasks'> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksService,
    private readonly presenter: TaskPresenter,
    private readonly runs: RunsService,
  ) {}

  /** Uploads before tasks, and uploads by id: the order in which everybody locks them. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('SELECT FROM bulk_uploads WHERE user_id = $1 ORDER BY id FOR UPDATE', [from]);
    await manager.query('UPDATE bulk_uploads SET user_id = $2 WHERE user_id = $1', [from, to]);
    await manager.query(
      'UPDATE tasks SET user_id = $2, expires_at = greatest(expires_at, created_at + $3::interval) WHERE user_id = $1',
      [from, to, ACCOUNT_KEPT],
    );
    await this.runs.move(manager, from, to);
  }

  async export(userId: string): Promise<Pick<UserExport, 'tasks'>> {
    const { manager } = this.database;
    const rows = await manager.find(TaskRow, { where: { userId }, order: { createdAt: 'ASC' } });
    const [tasks, renditions] = await Promise.all([
      this.presenter.tasks(rows),
      manager.find(RenditionRow, { where: { taskId: In(rows.map(({ id }) => id)) }, order: { createdAt: 'ASC' } }),
    ]);
    return {
      tasks: rows.map((row, index) => ({
        ...storedFieldsOf(row),
        inputUrl: tasks[index]?.inputUrl ?? null,
        outputs: tasks[index]?.result.outputs ?? [],
        renditions: renditions.filter(({ taskId }) => taskId === row.id).map(exportedRendition),
      })),
    };
  }

  /** Uploads go when their last task has gone, with its bytes. */
  async keeping(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const rows: { user_id: string }[] = await manager.query(
      'SELECT DISTINCT user_id FROM bulk_uploads WHERE user_id = ANY($1)',
      [userIds],
    );
    return rows.map((row) => row.user_id);
  }

  async erase(userId: string): Promise<void> {
    await this.tasks.deleteAll(userId);
    await this.runs.forgetUser(userId);
  }
}

const storedFieldsOf = (row: TaskRow) => ({
  taskId: row.id,
  bulkUploadId: row.bulkUploadId,
  status: row.status,
  fileName: row.fileName,
  contentType: row.contentType,
  sizeBytes: row.sizeBytes,
  sha256: row.sha256,
  aiPipeline: row.aiPipeline,
  outputContentType: row.outputContentType,
  jpegQuality: row.jpegQuality,
  errorCode: row.errorCode,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  exportedAt: row.exportedAt?.toISOString() ?? null,
});

const exportedRendition = ({ rendition, isExport, status, createdAt }: RenditionRow) => ({
  contentType: rendition.contentType,
  jpegQuality: rendition.jpegQuality,
  isExport,
  status,
  createdAt: createdAt.toISOString(),
});
