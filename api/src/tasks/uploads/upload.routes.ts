import type { IncomingMessage } from 'node:http';
import { INVALID_CODES, inMilliseconds, objectKeys } from '@clearframe/contract';
import { ObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SigningConfig } from '../../platform/config/signing.config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { rawScope } from '../../platform/http/raw-scope.js';
import { requireSignedQuery } from '../../platform/storage/disk/signed-url.js';
import { TaskUploadsService } from './task-uploads.service.js';
import { tooLarge, UploadValidator } from './upload-validator.js';

const TaskId = z.uuid();

/**
 * The upload URL of the disk store. Streams to the disk, stores files whole or not at all, and rejects a wrong file at
 * once.
 */
@Injectable()
export class UploadRoutes implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: ObjectStore,
    private readonly uploads: TaskUploadsService,
    private readonly storage: StorageConfig,
    private readonly signing: SigningConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.storage.settings.driver !== 'disk') return;
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) => {
      scope.put('/media/uploads/:taskId', async (request, reply) => {
        try {
          return await this.receive(request, reply);
        } catch (error) {
          // Does not wait for the rest of a rejected body.
          if (!request.raw.complete) reply.header('connection', 'close');
          throw error;
        }
      });
    });
  }

  private async receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { taskId } = request.params as { taskId: string };
    if (!TaskId.safeParse(taskId).success) throw new AppError('uploads.not_found');
    const key = objectKeys.upload(taskId);
    const { max, expires } = requireSignedQuery(this.signing.secret, request.query as Record<string, unknown>, {
      method: 'PUT',
      key,
      names: ['expires', 'max'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.url_expired',
    });
    const maxBytes = Number(max);
    const addressExpiresAt = new Date(inMilliseconds.seconds(Number(expires)));
    const begun = await this.uploads.begin(taskId, addressExpiresAt);
    const contentLength = Number(request.headers['content-length'] ?? Number.NaN);
    if (contentLength > maxBytes) {
      const error = tooLarge(maxBytes);
      await this.recordRejection(taskId, error);
      await this.uploads.abort(taskId, begun);
      throw error;
    }
    const validator = new UploadValidator({ ...begun, maxBytes }, (error) => this.recordRejection(taskId, error));
    try {
      await pipeThrough(request.raw, validator, (bytes) => this.store.put(key, bytes));
    } catch (error) {
      await this.uploads.abort(taskId, begun);
      throw request.raw.destroyed && !request.raw.complete && !(error instanceof AppError)
        ? new AppError('uploads.incomplete', { cause: error })
        : error;
    }
    const { sizeBytes, contentType } = validator;
    if (!contentType || !(await this.uploads.finish(taskId, { sizeBytes, contentType }))) {
      await this.store.delete(key);
      throw new AppError('uploads.closed');
    }
    return reply.status(200).header('cache-control', 'no-store').send();
  }

  private async recordRejection(taskId: string, error: unknown): Promise<void> {
    const code = error instanceof AppError && INVALID_CODES.find((known) => known === error.code);
    if (code) await this.uploads.recordRejection(taskId, code);
  }
}

/** After a rejection the rest of the body is drained, so that the client receives the response. */
async function pipeThrough(
  body: IncomingMessage,
  validator: UploadValidator,
  store: (validator: UploadValidator) => Promise<void>,
): Promise<void> {
  const onClose = () => {
    if (!body.complete) validator.destroy(new Error('the client has disconnected'));
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
