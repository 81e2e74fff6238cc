import { inMilliseconds, isRunning, type Role } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Entitlements } from '../billing-accounts/entitlements.service.js';
import {
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  RetryLater,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { BillingClock } from '../providers/billing-clock.js';
import { RunsService } from '../runs/runs.service.js';
import { UserRoles } from '../users/user-roles.js';
import { DownloadFiles } from './download-files.repository.js';
import { SharingsRepository } from './sharings.repository.js';
import { RETRY_AFTER_MS, TaskFiles, type TaskWithFiles } from './task-files.repository.js';
import { TasksRepository } from './tasks.repository.js';

/** The queue holds at most about this many of a user's files at a time: it is ranked at each dispatch. */
const MAX_OPEN = 50;
const NEXT_PORTION_MS = inMilliseconds.seconds(2);
const PAGE = 50;

/**
 * Orders the files that a change of rights makes due. `users.downloads_due_at` says when: triggers set it to now in each
 * transaction that changes a subscription, a gift code, the flag of staff or the owner of a task, and this class to the end
 * of the present plan.
 */
@Injectable()
@SchedulesWork()
export class DueDownloads implements WorkSource {
  readonly scheduledWork: readonly DueWork[] = [
    {
      kind: 'downloads.order',
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: inMilliseconds.minutes(2),
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: OUTAGE_BACKOFF,
      concurrency: 2,
      due: () => ({
        table: 'users',
        subject: 'id',
        where: 'downloads_due_at <= greatest(now(), $1::timestamptz)',
        orderBy: 'downloads_due_at',
        values: [this.clock.now()],
      }),
      run: (userId) => this.order(userId),
    },
  ];

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly entitlements: Entitlements,
    private readonly clock: BillingClock,
    private readonly roles: UserRoles,
    private readonly tasks: TasksRepository,
    private readonly files: TaskFiles,
    private readonly downloads: DownloadFiles,
    private readonly runs: RunsService,
    private readonly sharings: SharingsRepository,
  ) {}

  /** After the failure of a file. */
  async retryLater(manager: EntityManager, userId: string): Promise<void> {
    await this.tasks.markDownloadsDue(manager, userId, RETRY_AFTER_MS);
  }

  private async order(userId: string): Promise<RetryLater | undefined> {
    const due = await this.tasks.downloadsDueAt(userId);
    const role = due && (await this.roles.roleOf(userId));
    if (!role) return undefined;
    const ids = await this.tasks.listUnexpired(userId);
    const isComplete = await this.orderFor(userId, role, ids);
    await this.runs.dispatch('renders', 'large');
    if (!isComplete) return new RetryLater(NEXT_PORTION_MS);
    await this.sharings.markPreviewDue(this.database.manager, ids);
    await this.tasks.finishDownloads(userId, due, await this.entitlements.changeAt(userId), RETRY_AFTER_MS);
    return undefined;
  }

  /** @param ids newest first @returns whether all are ordered */
  private async orderFor(userId: string, role: Role, ids: readonly string[]): Promise<boolean> {
    let room = MAX_OPEN - (await this.runs.countOpenRenders(userId, MAX_OPEN));
    for (let start = 0; start < ids.length; start += PAGE) {
      const page = ids.slice(start, start + PAGE);
      const found = await this.files.read(role, { id: page, mediaType: 'image' });
      const lacking = new Set(found.filter(mayLackFiles).map(({ task }) => task.id));
      for (const id of page.filter((one) => lacking.has(one))) {
        if (room <= 0) return false;
        room -= await this.database.transaction(async (manager) => {
          const task = await this.tasks.lock(manager, id);
          return task ? this.downloads.orderMissing(manager, task, 'background') : 0;
        });
      }
    }
    return true;
  }
}

/** A running one is settled with the rights that it then reads: waiting for its lock leaves none to those before a change. */
const mayLackFiles = ({ task, files }: TaskWithFiles): boolean =>
  isRunning(task.status) || files.lacksDisplay || files.outputs.some(({ missing }) => missing.length > 0);
