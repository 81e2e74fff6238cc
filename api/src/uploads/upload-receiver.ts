import type { Readable } from 'node:stream';
import { INVALID_CODES, objectKeys } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { TaskUploadsService } from './task-uploads.service.js';
import { tooLarge, UploadValidator } from './upload-validator.js';

export interface SentFile {
  readonly body: Readable;
  /** Whether the client has sent everything. */
  readonly isComplete: () => boolean;
  /** NaN when it is unknown. */
  readonly contentLength: number;
}

export interface UploadBounds {
  readonly maxBytes: number;
  readonly addressExpiresAt: Date;
}

/** Streams a file to the store, which has it whole or not at all; rejects a wrong file at once. */
@Injectable()
export class UploadReceiver {
  constructor(
    private readonly store: ObjectStore,
    private readonly uploads: TaskUploadsService,
  ) {}

  /** @throws AppError the reason why the file is not accepted; `uploads.closed`, `uploads.incomplete` */
  async receive(taskId: string, sent: SentFile, { maxBytes, addressExpiresAt }: UploadBounds): Promise<void> {
    const key = objectKeys.upload(taskId);
    const begun = await this.uploads.begin(taskId, addressExpiresAt);
    if (sent.contentLength > maxBytes) {
      const error = tooLarge(maxBytes);
      await this.recordRejection(taskId, error);
      await this.uploads.abort(taskId, begun);
      throw error;
    }
    const validator = new UploadValidator({ ...begun, maxBytes }, (error) => this.recordRejection(taskId, error));
    try {
      await pipeThrough(sent, validator, (bytes) => this.store.put(key, bytes));
    } catch (error) {
      await this.uploads.abort(taskId, begun);
      throw sent.body.destroyed && !sent.isComplete() && !(error instanceof AppError)
        ? new AppError('uploads.incomplete', { cause: error })
        : error;
    }
    const { sizeBytes, contentType } = validator;
    if (!contentType || !(await this.uploads.finish(taskId, { sizeBytes, contentType }))) {
      await this.store.delete(key);
      throw new AppError('uploads.closed');
    }
  }

  private async recordRejection(taskId: string, error: unknown): Promise<void> {
    const code = error instanceof AppError && INVALID_CODES.find((known) => known === error.code);
    if (code) await this.uploads.recordRejection(taskId, code);
  }
}

/** Drains the rest of a rejected body, so that the client receives the response. */
async function pipeThrough(
  { body, isComplete }: SentFile,
  validator: UploadValidator,
  store: (validator: UploadValidator) => Promise<void>,
): Promise<void> {
  const onClose = () => {
    if (!isComplete()) validator.destroy(new Error('the client has disconnected'));
  };
  body.once('close', onClose);
  // The connection may have closed while the task was read; a destroyed body emits no more events.
  if (body.destroyed) onClose();
  else body.pipe(validator);
  try {
    await store(validator);
  } finally {
    body.off('close', onClose);
    body.unpipe(validator);
    body.resume();
  }
}
