import { canTransition, type ErrorCode, type MediaType, TASK_STATUSES } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, IsNull, LessThan } from 'typeorm';
import { lockUsers, prepared } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { BulkUploadRow, requireTask, TaskRow } from './task.entity.js';

const CANCELLABLE = TASK_STATUSES.filter((status) => canTransition(status, 'cancelled'));
const ACCEPTS_UPLOAD: readonly TaskRow['status'][] = ['started', 'uploading'];

export const AWAITS_FILE = `status IN ('started', 'uploading') AND size_bytes IS NULL`;

/** Refused files are listed on request only, and those that another file may still replace not at all. */
const ACCEPTED = `status <> 'invalid' AND (error_code IS NULL OR status NOT IN ('started', 'uploading'))`;

interface TaskPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly isNewer?: boolean;
  readonly mediaType?: MediaType | undefined;
  readonly statuses?: readonly TaskRow['status'][] | undefined;
}

/** Whose tasks a caller may reach: those of test keys, the others, or both where `isTest` is absent. */
export type TaskOwner = Pick<Caller, 'userId' | 'isTest'>;

export const ownedBy = ({ userId, isTest }: TaskOwner) => ({ userId, ...(isTest !== undefined && { isTest }) });

/** Methods that take a manager run in its transaction; locks are held until it ends. */
@Injectable()
export class TasksRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  find(id: string, manager: EntityManager = this.database.manager): Promise<TaskRow | null> {
    return manager.findOneBy(TaskRow, { id });
  }

  findOwn(owner: TaskOwner, id: string, manager: EntityManager = this.database.manager): Promise<TaskRow | null> {
    return manager.findOneBy(TaskRow, { id, ...ownedBy(owner) });
  }

  /** @throws AppError `tasks.not_found` */
  async requireOwn(owner: TaskOwner, id: string, manager?: EntityManager): Promise<TaskRow> {
    return requireTask(await this.findOwn(owner, id, manager));
  }

  findExpired(id: string): Promise<TaskRow | null> {
    return this.database.manager.findOneBy(TaskRow, { id, expiresAt: LessThan(new Date()) });
  }

  /**
   * Its tasks are of one kind and one owner.
   * @throws AppError `bulk_uploads.not_found`, also for that of a video, which has routes of its own, or of keys of the
   * other kind
   */
  async requireOwnUpload(owner: TaskOwner, id: string, manager: EntityManager = this.database.manager): Promise<void> {
    const where = { bulkUploadId: id, mediaType: 'image', ...ownedBy(owner) } as const;
    if (!(await manager.existsBy(TaskRow, where))) throw new AppError('bulk_uploads.not_found');
  }

  async insertUpload(manager: EntityManager, row: BulkUploadRow): Promise<void> {
    await manager.insert(BulkUploadRow, row);
  }

  /**
   * Locks an upload, then its tasks.
   * @param taskIds absent: all tasks
   * @throws AppError `bulk_uploads.not_found`; `tasks.not_found` for an id of another upload
   */
  async lockUpload(
    manager: EntityManager,
    owner: TaskOwner,
    id: string,
    taskIds?: readonly string[],
  ): Promise<{ readonly bulk: BulkUploadRow; readonly tasks: TaskRow[] }> {
    const where = { id, userId: owner.userId };
    const bulk = await manager.findOne(BulkUploadRow, { where, lock: { mode: 'pessimistic_write' } });
    if (!bulk) throw new AppError('bulk_uploads.not_found');
    await this.requireOwnUpload(owner, id, manager);
    const tasks = await manager.find(TaskRow, {
      where: inUpload(id, taskIds),
      order: { position: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    requireAll(tasks, taskIds);
    return { bulk, tasks };
  }

  async uploadersAmong(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const rows: { user_id: string }[] = await manager.query(
      'SELECT DISTINCT user_id FROM bulk_uploads WHERE user_id = ANY($1)',
      [userIds],
    );
    return rows.map((row) => row.user_id);
  }

  countOfUpload(userId: string, bulkUploadId: string): Promise<number> {
    return this.database.manager.countBy(TaskRow, { userId, bulkUploadId });
  }

  /** @throws AppError `tasks.not_found` for an id of another upload */
  async listOfUpload(bulkUploadId: string, taskIds?: readonly string[]): Promise<TaskRow[]> {
    const where = inUpload(bulkUploadId, taskIds);
    const tasks = await this.database.manager.find(TaskRow, { where, order: { position: 'ASC' } });
    requireAll(tasks, taskIds);
    return tasks;
  }

  /** Numbers of an upload's tasks by their status. @param except ids of tasks that don't count */
  async countByStatus(
    bulkUploadId: string,
    { except = [], manager = this.database.manager }: { except?: readonly string[]; manager?: EntityManager } = {},
  ): Promise<ReadonlyMap<TaskRow['status'], number>> {
    const rows: { status: TaskRow['status']; count: number }[] = await manager.query(
      `SELECT status, count(*)::int AS count FROM tasks WHERE bulk_upload_id = $1 AND id <> ALL ($2::uuid[]) GROUP BY status`,
      [bulkUploadId, except],
    );
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  countOwn(owner: TaskOwner, ids: readonly string[]): Promise<number> {
    return this.database.manager.countBy(TaskRow, { id: In([...ids]), ...ownedBy(owner) });
  }

  listOfUser(userId: string, limit: number | null = null): Promise<TaskRow[]> {
    const query = { where: { userId }, order: { createdAt: 'ASC' } } as const;
    return this.database.manager.find(TaskRow, limit === null ? query : { ...query, take: limit });
  }

  async listPage(
    { userId, isTest }: TaskOwner,
    { limit, cursor, isNewer = false, mediaType, statuses }: TaskPage,
  ): Promise<string[]> {
    const [direction, order] = isNewer ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const);
    // Compared in the database, whose times are more precise than a Date.
    const beyond = cursor
      ? `(task.created_at, task.id) ${direction} (SELECT created_at, id FROM tasks WHERE id = $3)`
      : 'true';
    const isAccepted = statuses?.includes('invalid') ? 'true' : ACCEPTED;
    // A literal, so that the partial index `tasks_user_videos` serves the few videos.
    const ofType = mediaType ? `media_type = '${mediaType}'` : 'true';
    const ofKind = `${ofType} AND ${isTest === undefined ? 'true' : isTest ? 'is_test' : 'NOT is_test'}`;
    const page = (ofStatus: string) =>
      `SELECT id, created_at FROM tasks task
       WHERE user_id = $1 AND ${ofStatus} AND ${isAccepted} AND ${ofKind} AND ${beyond}
       ORDER BY created_at ${order}, id ${order} LIMIT $2`;
    const wanted = `$${cursor ? 4 : 3}::text[]`;
    const rows: { id: string }[] = await this.database.query(
      prepared(
        statuses
          ? // One range of the index `tasks_user_status` for each status, which is sorted; for all of them it is not.
            `SELECT page.id FROM unnest(${wanted}) AS wanted (status) CROSS JOIN LATERAL (${page('status = wanted.status')}) page
             ORDER BY page.created_at ${order}, page.id ${order} LIMIT $2`
          : page('true'),
      ),
      [userId, limit, ...(cursor ? [cursor] : []), ...(statuses ? [statuses] : [])],
    );
    const ids = rows.map(({ id }) => id);
    return isNewer ? ids.reverse() : ids;
  }

  /** Ids, newest first. */
  async listUnexpired(userId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.database.query(
      'SELECT id FROM tasks WHERE user_id = $1 AND expires_at > now() ORDER BY created_at DESC',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** When files of a user are due, as text, since a Date is less precise. */
  async downloadsDueAt(userId: string): Promise<string | null> {
    const [user]: { due: string | null }[] = await this.database.query(
      'SELECT downloads_due_at::text AS due FROM users WHERE id = $1',
      [userId],
    );
    return user?.due ?? null;
  }

  async markDownloadsDue(manager: EntityManager, userId: string, inMs: number): Promise<void> {
    await manager.query(
      `UPDATE users SET downloads_due_at = least(downloads_due_at, now() + make_interval(secs => $2::float8)) WHERE id = $1`,
      [userId, inMs / 1000],
    );
  }

  /**
   * The next ones are due when the plan changes or a failed file is retried. Keeps a mark other than `due`, which was set in
   * the meantime: the rights have changed again.
   */
  async finishDownloads(userId: string, due: string, changeAt: Date | null, retryAfterMs: number): Promise<void> {
    await this.database.query(
      `UPDATE users SET downloads_due_at = least($3::timestamptz, (
         SELECT min(f.created_at) + make_interval(secs => $4::float8) FROM renditions f JOIN tasks t ON t.id = f.task_id
         WHERE t.user_id = users.id AND f.status = 'failed' AND f.created_at > now() - make_interval(secs => $4::float8)))
       WHERE id = $1 AND downloads_due_at::text = $2`,
      [userId, due, changeAt, retryAfterMs / 1000],
    );
  }

  /** @throws AppError `tasks.not_found` */
  async lockOwn(manager: EntityManager, owner: TaskOwner, id: string): Promise<TaskRow> {
    const where = { id, ...ownedBy(owner) };
    return requireTask(await manager.findOne(TaskRow, { where, lock: { mode: 'pessimistic_write' } }));
  }

  lock(manager: EntityManager, id: string): Promise<TaskRow | null> {
    return manager.findOne(TaskRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  lockOfRun(manager: EntityManager, id: string, runId: string): Promise<TaskRow | null> {
    return manager.findOne(TaskRow, { where: { id, runId }, lock: { mode: 'pessimistic_write' } });
  }

  lockCancellable(manager: EntityManager, id: string): Promise<TaskRow | null> {
    return manager.findOne(TaskRow, { where: { id, status: In(CANCELLABLE) }, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks uploads before tasks, as every transaction does, to avoid deadlocks. */
  async lockAllOwn(manager: EntityManager, owner: TaskOwner, ids: readonly string[]): Promise<TaskRow[]> {
    await manager.query(
      `SELECT FROM bulk_uploads WHERE id IN (SELECT bulk_upload_id FROM tasks WHERE id = ANY ($1) AND user_id = $2)
       ORDER BY id FOR UPDATE`,
      [ids, owner.userId],
    );
    const where = { id: In([...ids]), ...ownedBy(owner) };
    return manager.find(TaskRow, { where, lock: { mode: 'pessimistic_write' } });
  }

  /** Locks the owner, then the task. Null when the task no longer exists. */
  async lockWithOwner(manager: EntityManager, id: string): Promise<TaskRow | null> {
    const ownerOf = async () =>
      (await manager.findOne(TaskRow, { where: { id }, select: { id: true, userId: true } }))?.userId;
    let owner = await ownerOf();
    while (owner) {
      await lockUsers(manager, owner);
      // A concurrent login may have moved the task to another user.
      const current = await ownerOf();
      if (current === owner) return manager.findOne(TaskRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
      owner = current;
    }
    return null;
  }

  async shareExpiry(manager: EntityManager, id: string): Promise<Date | null> {
    const [task]: { expires_at: Date }[] = await manager.query('SELECT expires_at FROM tasks WHERE id = $1 FOR SHARE', [
      id,
    ]);
    return task?.expires_at ?? null;
  }

  hasStatus(id: string, status: TaskRow['status']): Promise<boolean> {
    return this.database.manager.existsBy(TaskRow, { id, status });
  }

  async insert(manager: EntityManager, rows: TaskRow[]): Promise<void> {
    await manager.insert(TaskRow, rows);
  }

  async update(manager: EntityManager, id: string, change: Partial<TaskRow>): Promise<void> {
    await manager.update(TaskRow, id, change);
  }

  async save(manager: EntityManager, row: TaskRow): Promise<void> {
    await manager.save(TaskRow, row);
  }

  async updateUpload(
    id: string,
    change: Pick<Partial<TaskRow>, 'sizeBytes' | 'contentType' | 'errorCode' | 'uploadExpiresAt' | 'mask'>,
  ): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      TaskRow,
      { id, status: In([...ACCEPTS_UPLOAD]) },
      { status: 'uploading', ...change },
    );
    return affected === 1;
  }

  acceptsUpload(id: string): Promise<boolean> {
    return this.database.manager.existsBy(TaskRow, { id, status: In([...ACCEPTS_UPLOAD]) });
  }

  async reopenUpload(id: string, expiresAt: Date): Promise<boolean> {
    const [, count] = await this.database.query(
      `UPDATE tasks SET upload_expires_at = greatest(upload_expires_at, $2),
         status = CASE status WHEN 'invalid' THEN 'started' ELSE status END,
         error_code = CASE status WHEN 'invalid' THEN NULL ELSE error_code END
       WHERE id = $1
         AND (status IN ('started', 'uploading') OR (status = 'invalid' AND error_code = 'uploads.expired'))`,
      [id, expiresAt],
    );
    return count === 1;
  }

  async cancelUpload(id: string): Promise<void> {
    await this.database.manager.update(
      TaskRow,
      { id, status: In([...ACCEPTS_UPLOAD]), sizeBytes: IsNull() },
      { status: 'cancelled' },
    );
  }

  async expireUpload(id: string): Promise<void> {
    await this.endExpiry(id, `status = 'invalid', error_code = 'uploads.expired'`);
  }

  /** A file by address that is not accepted. */
  async refuseUpload(id: string, errorCode: ErrorCode): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      TaskRow,
      { id, status: In([...ACCEPTS_UPLOAD]) },
      { status: 'invalid', errorCode },
    );
    return affected === 1;
  }

  async nameFile(id: string, fileName: string | null): Promise<void> {
    await this.database.manager.update(TaskRow, id, { fileName });
  }

  /** For a task whose file is in the store. */
  async clearUploadExpiry(id: string): Promise<void> {
    await this.endExpiry(id, 'upload_expires_at = NULL');
  }

  private async endExpiry(id: string, change: string): Promise<void> {
    await this.database.query(
      `UPDATE tasks SET ${change} WHERE id = $1 AND ${AWAITS_FILE} AND upload_expires_at <= now()`,
      [id],
    );
  }

  async extendExpiry(manager: EntityManager, id: string, days: number): Promise<void> {
    await manager.query(
      'UPDATE tasks SET expires_at = greatest(expires_at, now() + make_interval(days => $2)) WHERE id = $1',
      [id, days],
    );
  }

  async extendExpiryTo(manager: EntityManager, id: string, until: Date): Promise<void> {
    await manager.query('UPDATE tasks SET expires_at = greatest(expires_at, $2) WHERE id = $1', [id, until]);
  }

  /** Else two transactions that delete the last tasks of an upload would both leave it to the other one. */
  async lockUploadsOf(manager: EntityManager, rows: readonly TaskRow[]): Promise<void> {
    await manager.query('SELECT FROM bulk_uploads WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [
      rows.map(({ bulkUploadId }) => bulkUploadId),
    ]);
  }

  /** The uploads are locked. */
  async delete(manager: EntityManager, rows: readonly TaskRow[]): Promise<void> {
    await manager.delete(
      TaskRow,
      rows.map(({ id }) => id),
    );
    await manager.query(
      `DELETE FROM bulk_uploads b WHERE id = ANY ($1)
       AND NOT EXISTS (SELECT FROM tasks t WHERE t.bulk_upload_id = b.id)`,
      [rows.map(({ bulkUploadId }) => bulkUploadId)],
    );
  }

  async move(manager: EntityManager, from: string, to: string, keptSeconds: number): Promise<void> {
    await manager.query('SELECT FROM bulk_uploads WHERE user_id = $1 ORDER BY id FOR UPDATE', [from]);
    await manager.query('UPDATE bulk_uploads SET user_id = $2 WHERE user_id = $1', [from, to]);
    await manager.query(
      `UPDATE tasks SET user_id = $2, expires_at = greatest(expires_at, created_at + make_interval(secs => $3))
       WHERE user_id = $1`,
      [from, to, keptSeconds],
    );
  }
}

const inUpload = (bulkUploadId: string, taskIds: readonly string[] | undefined) => ({
  bulkUploadId,
  ...(taskIds && { id: In([...taskIds]) }),
});

function requireAll(tasks: readonly TaskRow[], taskIds: readonly string[] | undefined): void {
  if (taskIds && tasks.length < new Set(taskIds).size) throw new AppError('tasks.not_found');
}
