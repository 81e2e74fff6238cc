import { hasResult, inMilliseconds, type MediaType } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { OutboundHttp, refusedWith } from '../platform/outbound/outbound-http.js';
import {
  type Attempt,
  type DueWork,
  OUTAGE_MAX_ATTEMPTS,
  RetryLater,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { dueOutputs, RemoteFiles } from '../tasks/remote-files.repository.js';
import { type ResultFile, TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { UserRoles } from '../users/user-roles.js';
import { finalCodeOf } from './final-code.js';

/** An hour from the first to the last attempt with {@link BACKOFF}. */
const MAX_SENDINGS = 12;
const BACKOFF = { firstMs: inMilliseconds.seconds(10), maxMs: inMilliseconds.minutes(10) };
/** A picture of 100 MB at 6.7 Mbit/s, a video of 1 GB at 8. */
const TOTAL_MS = { image: inMilliseconds.minutes(2), video: inMilliseconds.minutes(17) } as const;
const MARGIN_MS = inMilliseconds.seconds(10);
const ENCODING_RETRY_MS = inMilliseconds.seconds(5);

/** Sends the first result of a task to the address that its request named, once. */
@Injectable()
@SchedulesWork()
export class OutputSender implements WorkSource {
  // The lease of a process that was killed is that of its kind.
  readonly scheduledWork: readonly DueWork[] = [this.work('image', 8), this.work('video', 2)];

  constructor(
    private readonly remote: RemoteFiles,
    private readonly tasks: TasksRepository,
    private readonly presenter: TaskPresenter,
    private readonly roles: UserRoles,
    private readonly store: ObjectStore,
    private readonly outbound: OutboundHttp,
  ) {}

  private work(mediaType: MediaType, concurrency: number): DueWork {
    return {
      kind: `remote_files.send_${mediaType}`,
      everyMs: inMilliseconds.seconds(1),
      timeoutMs: TOTAL_MS[mediaType] + MARGIN_MS,
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: BACKOFF,
      concurrency,
      due: () => dueOutputs(mediaType),
      run: (taskId, attempt) => this.run(taskId, attempt),
    };
  }

  private async run(taskId: string, attempt: Attempt): Promise<RetryLater | undefined> {
    const [task, target] = await Promise.all([this.tasks.find(taskId), this.remote.findOutput(taskId)]);
    if (!task || !target) return undefined;
    if (!hasResult(task.status)) {
      await this.remote.endOutput(taskId, { status: 'failed', errorCode: task.errorCode });
      return undefined;
    }
    const role = await this.roles.roleOf(task.userId);
    // The account is being erased, with its tasks.
    if (role === null) return undefined;
    const [file] = await this.presenter.filesOf(role, { id: taskId });
    // To be encoded after a change of plan.
    if (!file?.key) return new RetryLater(ENCODING_RETRY_MS);
    const errorCode = await this.send(target, file.key, file, attempt.signal).then(
      () => null,
      (error: unknown) => finalCodeOf(error, attempt, MAX_SENDINGS),
    );
    await this.remote.endOutput(taskId, { status: errorCode ? 'failed' : 'completed', errorCode });
    return undefined;
  }

  private async send(
    address: string,
    key: string,
    { task, contentType }: ResultFile,
    signal: AbortSignal,
  ): Promise<void> {
    const totalMs = TOTAL_MS[task.mediaType];
    const [bytes, sizeBytes] = await Promise.all([this.store.read(key), this.store.sizeOf(key)]);
    try {
      const { status, body } = await this.outbound.send(address, {
        method: 'PUT',
        // Stores refuse bodies of unknown length.
        headers: { 'content-type': contentType, 'content-length': String(sizeBytes) },
        body: bytes,
        signal,
        limits: { headersMs: totalMs, totalMs },
      });
      body.destroy();
      if (status < 200 || status >= 300) throw refusedWith(status);
    } finally {
      bytes.destroy();
    }
  }
}
