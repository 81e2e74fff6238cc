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
import { tooLarge, UploadGate } from './upload-gate.js';

const TaskId = z.uuid();

/**
 * Mounts the upload URL of the disk store; S3 has its own. Bodies are streamed to the disk, stored whole or not at all,
 * and checked on the way, so that a wrong file is refused at once.
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
          // The rest of a refused body is not waited for.
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
    const declared = await this.uploads.begin(taskId);
    const contentLength = Number(request.headers['content-length'] ?? Number.NaN);
    if (contentLength > maxBytes) {
      const error = tooLarge(maxBytes);
      await this.noteRefusal(taskId, error);
      await this.uploads.abort(taskId, addressExpiresAt);
      throw error;
    }
    const gate = new UploadGate({ ...declared, maxBytes }, (error) => this.noteRefusal(taskId, error));
    try {
      await pass(request.raw, gate, (bytes) => this.store.put(key, bytes));
    } catch (error) {
      await this.uploads.abort(taskId, addressExpiresAt);
      throw request.raw.destroyed && !request.raw.complete && !(error instanceof AppError)
        ? new AppError('uploads.incomplete', { cause: error })
        : error;
    }
    const { sizeBytes, contentType } = gate;
    if (!contentType || !(await this.uploads.finish(taskId, { sizeBytes, contentType }))) {
      await this.store.delete(key);
      throw new AppError('uploads.closed');
    }
    return reply.status(200).header('cache-control', 'no-store').send();
  }

  private async noteRefusal(taskId: string, error: unknown): Promise<void> {
    const code = error instanceof AppError && INVALID_CODES.find((known) => known === error.code);
    if (code) await this.uploads.refuse(taskId, code);
  }
}

/**
 * Pipes a request body through the gate. When the gate refuses, the rest of the body is drained, so that the client
 * receives the response.
 */
async function pass(
  body: IncomingMessage,
  gate: UploadGate,
  store: (gate: UploadGate) => Promise<void>,
): Promise<void> {
  const onClose = () => {
    if (!body.complete) gate.destroy(new Error('the client has disconnected'));
  };
  body.once('close', onClose);
  // The connection may have closed during the lookup of the task; a destroyed body emits no more events.
  if (body.destroyed) onClose();
  else body.pipe(gate);
  try {
    await store(gate);
  } finally {
    body.off('close', onClose);
    body.unpipe(gate);
    body.resume();
  }
}
