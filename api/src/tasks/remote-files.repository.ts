import type { MediaType, OutputUpload } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Seal } from '../platform/config/seal.js';
import { AppError } from '../platform/errors/app-error.js';
import type { DueRows } from '../platform/schedule/work.js';
import { notifySettled } from '../runs/run-notifications.js';
import type { Caller } from '../sessions/caller.js';
import type { TaskRow } from './task.entity.js';

/** Where a task's file comes from, and where its first result goes to. */
export interface RemoteAddresses {
  readonly inputUrl?: string | undefined;
  readonly maskUrl?: string | undefined;
  readonly outputUploadUrl?: string | undefined;
}

/** What remains to be fetched of a task. */
interface PendingInput {
  readonly keyId: string;
  readonly inputUrl: string | null;
  readonly maskUrl: string | null;
  /** The sent picture is to be processed once its mask has arrived. */
  readonly starts: boolean;
}

/** A host that is slow takes no more than these places of its user. */
const FETCHES_PER_USER = 4;

/** Addresses may be signed, so they are sealed, and deleted once they have served. */
@Injectable()
export class RemoteFiles {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly seal: Seal,
  ) {}

  /**
   * @param addresses of the tasks, in the same order
   * @param isHeld nothing is fetched before {@link release}
   * @throws AppError `plugin_keys.required` for an address in a request without a key
   */
  async insert(
    manager: EntityManager,
    { userId, principal }: Pick<Caller, 'userId' | 'principal'>,
    tasks: readonly Pick<TaskRow, 'id'>[],
    addresses: readonly RemoteAddresses[],
    isHeld = false,
  ): Promise<void> {
    const rows = await Promise.all(
      tasks.map(async ({ id: taskId }, index) => ({
        taskId,
        input: await this.sealed(taskId, addresses[index]?.inputUrl),
        mask: await this.sealed(taskId, addresses[index]?.maskUrl),
        output: await this.sealed(taskId, addresses[index]?.outputUploadUrl),
      })),
    );
    const remote = rows.filter(({ input, mask, output }) => input ?? mask ?? output);
    if (remote.length === 0) return;
    if (principal.kind !== 'key') throw new AppError('plugin_keys.required');
    await manager.query(
      `INSERT INTO remote_files (task_id, user_id, key_id, input_url, mask_url, output_url, held, created_at)
       SELECT task_id, $2, $3, input_url, mask_url, output_url, $7, clock_timestamp()
       FROM unnest($1::uuid[], $4::text[], $5::text[], $6::text[]) AS added (task_id, input_url, mask_url, output_url)`,
      [
        remote.map(({ taskId }) => taskId),
        userId,
        principal.keyId,
        remote.map(({ input }) => input),
        remote.map(({ mask }) => mask),
        remote.map(({ output }) => output),
        isHeld,
      ],
    );
  }

  private async sealed(taskId: string, address: string | undefined): Promise<string | null> {
    return address === undefined ? null : this.seal.seal(address, taskId);
  }

  /** Null once it has served. */
  async findInput(taskId: string): Promise<PendingInput | null> {
    const [row]: PendingInput[] = await this.database.query(
      `SELECT key_id AS "keyId", input_url AS "inputUrl", mask_url AS "maskUrl", starts FROM remote_files
       WHERE task_id = $1 AND (input_url IS NOT NULL OR mask_url IS NOT NULL)`,
      [taskId],
    );
    if (!row) return null;
    const [inputUrl, maskUrl] = await Promise.all([
      this.opened(row.inputUrl, taskId),
      this.opened(row.maskUrl, taskId),
    ]);
    return { ...row, inputUrl, maskUrl };
  }

  /** Null once it has served. */
  async findOutput(taskId: string): Promise<string | null> {
    const [row]: { output: string | null }[] = await this.database.query(
      'SELECT output_url AS output FROM remote_files WHERE task_id = $1',
      [taskId],
    );
    return this.opened(row?.output ?? null, taskId);
  }

  private async opened(address: string | null, taskId: string): Promise<string | null> {
    return address === null ? null : this.seal.open(address, taskId);
  }

  async release(taskId: string): Promise<void> {
    await this.database.query('UPDATE remote_files SET held = false WHERE task_id = $1', [taskId]);
  }

  /**
   * Has sent pictures processed once their masks have arrived.
   * @returns tasks whose masks are awaited
   */
  async startLater(manager: EntityManager, tasks: readonly Pick<TaskRow, 'id' | 'mask'>[]): Promise<Set<string>> {
    const ids = tasks.flatMap(({ id, mask }) => (mask ? [] : [id]));
    if (ids.length === 0) return new Set();
    const [rows]: [{ id: string }[], number] = await manager.query(
      `UPDATE remote_files SET starts = true WHERE task_id = ANY($1::uuid[]) AND mask_url IS NOT NULL
       RETURNING task_id AS id`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async markFetching(taskId: string, untilMs: number | null): Promise<void> {
    await this.database.query(
      `UPDATE remote_files SET fetching_until = now() + make_interval(secs => $2::float8 / 1000) WHERE task_id = $1`,
      [taskId, untilMs],
    );
  }

  /**
   * Wakes requests that wait for the file.
   * @param starts as it was found
   * @returns false if it has changed meanwhile
   */
  async endInput(taskId: string, starts: boolean): Promise<boolean> {
    const [, count]: [unknown, number] = await this.database.query(
      `UPDATE remote_files SET input_url = NULL, mask_url = NULL, fetching_until = NULL
       WHERE task_id = $1 AND starts = $2`,
      [taskId, starts],
    );
    if (count === 0) return false;
    await notifySettled(this.database.manager, taskId);
    return true;
  }

  /** Shows how the sending ended, and forgets the address. */
  async endOutput(taskId: string, state: OutputUpload): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query('UPDATE tasks SET output_upload = $2 WHERE id = $1', [taskId, JSON.stringify(state)]);
      await manager.query('UPDATE remote_files SET output_url = NULL WHERE task_id = $1', [taskId]);
    });
  }
}

/** Oldest first, a few of each user at a time. */
export const dueInputs = (mediaType: MediaType): DueRows => ({
  table: 'remote_files AS due_file',
  subject: 'task_id',
  where: `(input_url IS NOT NULL OR mask_url IS NOT NULL) AND NOT held
    AND EXISTS (SELECT FROM tasks WHERE id = due_file.task_id AND media_type = '${mediaType}') AND ${FETCHES_PER_USER} > (SELECT count(*) FROM remote_files AS fetched
    WHERE fetched.user_id = due_file.user_id AND fetched.fetching_until > now())`,
  orderBy: 'created_at',
});

/** Of tasks that have ended. */
export const dueOutputs = (mediaType: MediaType): DueRows => ({
  table: 'remote_files',
  subject: 'task_id',
  where: `output_url IS NOT NULL AND EXISTS (SELECT FROM tasks WHERE id = task_id AND media_type = '${mediaType}'
    AND status IN ('completed', 'exported', 'failed', 'invalid', 'cancelled'))`,
  orderBy: 'created_at',
});
