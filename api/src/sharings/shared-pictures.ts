import type { RenderedImage, Role } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { Entitlements, resolveRole } from '../identity/caller/entitlements.js';
import { AppError } from '../platform/errors/app-error.js';
import { newestResultOf, type TaskOutputRow, type TaskRow } from '../tasks/records/task.entity.js';
import { TasksRepository } from '../tasks/records/tasks.repository.js';
import { TaskFiles } from '../tasks/renditions/task-files.service.js';
import { UserRepository } from '../users/user.repository.js';
import type { SharingRow } from './sharing.entity.js';
import { SharingsRepository } from './sharings.repository.js';

/** Files for pages, as the owner's plan of today allows. */
export interface SharedPicture {
  readonly sharing: SharingRow;
  readonly task: TaskRow;
  readonly output: TaskOutputRow;
  readonly before: RenderedImage;
  readonly after: RenderedImage;
}

const RETRY_SECONDS = 5;

/** What a link shows: the task's newest result that is no preview. */
@Injectable()
export class SharedPictures {
  constructor(
    private readonly repository: SharingsRepository,
    private readonly tasks: TasksRepository,
    private readonly files: TaskFiles,
    private readonly users: UserRepository,
    private readonly entitlements: Entitlements,
  ) {}

  /**
   * @throws AppError `sharings.not_found`, `sharings.expired`; `service.unavailable` while a file for a changed plan is
   * encoded
   */
  async read(id: string): Promise<SharedPicture> {
    const sharing = await this.repository.find(id);
    if (!sharing) throw new AppError('sharings.not_found');
    if (sharing.expiresAt.getTime() <= Date.now()) throw new AppError('sharings.expired');
    const task = sharing.taskId && (await this.tasks.find(sharing.taskId));
    if (!task) throw new AppError('sharings.not_found');
    const [found] = await this.files.read(await this.roleOf(task.userId), [task]);
    const current = found && newestResultOf(found.task);
    const served = found?.files.outputs.find(({ output }) => output.runId === current?.runId);
    if (!found || !served) throw new AppError('sharings.not_found');
    const before = found.files.display;
    const after = served.display;
    if (!before || !after) throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    return { sharing, task: found.task, output: served.output, before, after };
  }

  /** @throws AppError `sharings.not_found` when the owner was erased meanwhile */
  private async roleOf(userId: string): Promise<Role> {
    const [user, entitlements] = await Promise.all([this.users.find(userId), this.entitlements.entitlementsOf(userId)]);
    if (!user) throw new AppError('sharings.not_found');
    return resolveRole(user, entitlements);
  }
}
