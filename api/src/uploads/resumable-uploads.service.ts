import { pipeline } from 'node:stream/promises';
import { INVALID_CODES, type MediaType, objectKeys } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import PQueue from 'p-queue';
import { AppError } from '../platform/errors/app-error.js';
import { uploadLimitsOf } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { TaskUploadsService } from './task-uploads.service.js';
import { UploadParts } from './upload-parts.js';
import { UploadValidator } from './upload-validator.js';

/** The S3 client buffers 20 MB for each file that it writes. */
const CONCURRENT_JOINS = 2;

export interface ResumableTask {
  readonly id: string;
  readonly mediaType: MediaType;
  readonly maxBytes: number;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  readonly createdAt: Date;
  readonly hasBegun: boolean;
  /** The whole file is stored. */
  readonly isFinished: boolean;
}

@Injectable()
export class ResumableUploadsService {
  private readonly joins = new PQueue({ concurrency: CONCURRENT_JOINS });
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly tasks: TasksRepository,
    private readonly uploads: TaskUploadsService,
    private readonly store: ObjectStore,
    readonly parts: UploadParts,
  ) {}

  /** @throws AppError `uploads.not_found`, `uploads.expired`, `uploads.closed` */
  async find(taskId: string): Promise<ResumableTask> {
    const task = await this.tasks.find(taskId);
    if (!task?.declaredSizeBytes) throw new AppError('uploads.not_found');
    if (task.status === 'cancelled') throw new AppError('uploads.closed');
    if (task.status === 'invalid')
      throw new AppError(task.errorCode === 'uploads.expired' ? 'uploads.expired' : 'uploads.closed');
    return {
      id: task.id,
      ...uploadLimitsOf(task),
      sizeBytes: task.declaredSizeBytes,
      sha256: task.sha256,
      createdAt: task.createdAt,
      hasBegun: task.status !== 'started',
      isFinished: task.sizeBytes !== null,
    };
  }

  /** @throws AppError `uploads.closed` */
  async begin(taskId: string): Promise<void> {
    if (!(await this.uploads.markUploading(taskId))) await this.close(taskId);
  }

  /** @throws AppError `uploads.closed` */
  async requireOpen(taskId: string): Promise<void> {
    if (!(await this.uploads.isOpen(taskId))) await this.close(taskId);
  }

  /** Joins the parts to the task's file. @throws AppError for a wrong file, which may then be sent again */
  complete(task: ResumableTask): Promise<void> {
    const running = this.running.get(task.id);
    if (running) return running;
    const join = this.joins.add(() => this.join(task)).finally(() => this.running.delete(task.id));
    this.running.set(task.id, join);
    return join;
  }

  async reject(taskId: string, error: unknown): Promise<void> {
    const code = error instanceof AppError && INVALID_CODES.find((known) => known === error.code);
    if (!code) return;
    await this.parts.delete(taskId);
    await this.uploads.recordRejection(taskId, code);
  }

  async terminate(taskId: string): Promise<void> {
    await this.uploads.cancel(taskId);
    await this.parts.delete(taskId);
  }

  private async close(taskId: string): Promise<never> {
    await this.parts.delete(taskId);
    throw new AppError('uploads.closed');
  }

  private async join(task: ResumableTask): Promise<void> {
    const { id, sizeBytes } = task;
    const key = objectKeys.upload(id);
    const validator = new UploadValidator(task);
    try {
      await pipeline(this.parts.read(id), validator, () => this.store.put(key, validator));
    } catch (error) {
      await this.reject(id, error);
      throw error;
    }
    const { contentType } = validator;
    const isAccepted = contentType && (await this.uploads.finish(id, { sizeBytes, contentType }));
    if (!isAccepted) await this.store.delete(key);
    await this.parts.delete(id);
    if (!isAccepted) throw new AppError('uploads.closed');
  }
}
