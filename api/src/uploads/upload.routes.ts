import { inMilliseconds, objectKeys } from '@clearframe/contract';
import { StorageConfig } from '@clearframe/runtime/storage';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import { rawScope } from '../platform/http/json-body.js';
import { requireSignedQuery, SigningConfig } from '../platform/storage/signed-url.js';
import { UploadReceiver } from './upload-receiver.js';

const TaskId = z.uuid();

/** The upload URL of the disk store. */
@Injectable()
export class UploadRoutes implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly receiver: UploadReceiver,
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
    const { max, expires } = requireSignedQuery(this.signing.secret, request.query as Record<string, unknown>, {
      method: 'PUT',
      key: objectKeys.upload(taskId),
      names: ['expires', 'max'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.url_expired',
    });
    const maxBytes = Number(max);
    const addressExpiresAt = new Date(inMilliseconds.seconds(Number(expires)));
    const { raw: body, headers } = request;
    const contentLength = Number(headers['content-length'] ?? Number.NaN);
    const sent = { body, isComplete: () => body.complete, contentLength };
    await this.receiver.receive(taskId, sent, { maxBytes, addressExpiresAt });
    return reply.status(200).header('cache-control', 'no-store').send();
  }
}
