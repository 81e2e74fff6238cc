import { PassThrough, Readable } from 'node:stream';
import { type ErrorCode, inMilliseconds, objectKeys } from '@clearframe/contract';
import { StorageConfig } from '@clearframe/runtime/storage';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { MemoryLocker, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import { rawScope } from '../platform/http/json-body.js';
import { requireSignedQuery, SigningConfig } from '../platform/storage/signed-url.js';
import { RESUMABLE_METHOD, type ResumableTask, ResumableUploads, TusStore } from './resumable-uploads.js';
import { UploadIntake } from './upload-intake.js';

const TaskId = z.uuid();

/** The upload URL of the disk store. */
@Injectable()
export class UploadRoutes implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly intake: UploadIntake,
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
    await this.intake.receive(taskId, sent, { maxBytes, addressExpiresAt });
    return reply.status(200).header('cache-control', 'no-store').send();
  }
}

/** Buffered part of a request's body, before the library's own buffers. */
const BUFFERED_BYTES = 16 * 1024;

/** How long a request that another one replaces may store what it has received. */
const LOCK_DRAIN_MS = inMilliseconds.seconds(1);

const RETRY_SECONDS = 5;

const TUS_HEADERS = { 'tus-resumable': '1.0.0', 'tus-version': '1.0.0', 'cache-control': 'no-store' } as const;

/** Errors of the library. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'uploads.not_found',
  409: 'uploads.wrong_offset',
  410: 'uploads.expired',
  413: 'uploads.too_large',
  500: 'service.unavailable',
};

/**
 * The address of resumable uploads, tus 1.0 for both stores. The signed address authorizes every request; the server
 * has created the upload, so there is no POST.
 */
@Injectable()
export class ResumableRoutes implements OnModuleInit {
  /** Ends a request whose client has reconnected. Parts are written once, so that other processes need no lock. */
  private readonly locker = new MemoryLocker();

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly uploads: ResumableUploads,
    private readonly signing: SigningConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) => {
      scope.route({
        method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
        url: '/media/resumable/:taskId',
        handler: async (request, reply) => {
          reply.headers(TUS_HEADERS);
          try {
            return await this.handle(request, reply);
          } catch (error) {
            // Does not wait for the rest of a rejected body.
            if (!request.raw.complete) reply.header('connection', 'close');
            throw error;
          }
        },
      });
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const task = await this.uploads.find(this.authorizedTask(request));
    if (request.method !== 'HEAD' && request.method !== 'OPTIONS') checkChange(request, task);
    const response = await this.respond(request, task);
    for (const [name, value] of response.headers) if (!name.startsWith('access-control-')) reply.header(name, value);
    return reply.status(response.status).send();
  }

  private authorizedTask(request: FastifyRequest): string {
    const { taskId } = request.params as { taskId: string };
    if (!TaskId.safeParse(taskId).success) throw new AppError('uploads.not_found');
    requireSignedQuery(this.signing.secret, request.query as Record<string, unknown>, {
      method: RESUMABLE_METHOD,
      key: objectKeys.uploadParts(taskId),
      names: ['expires'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.expired',
    });
    return taskId;
  }

  private async respond({ raw, method, headers }: FastifyRequest, task: ResumableTask): Promise<Response> {
    let failure: unknown = null;
    const datastore = new TusStore(task, this.uploads);
    const server = new Server({
      path: '/',
      datastore,
      locker: this.locker,
      lockDrainTimeout: LOCK_DRAIN_MS,
      maxSize: task.maxBytes,
      disableTerminationForFinishedUploads: true,
      getFileIdFromRequest: () => task.id,
      onUploadFinish: async () => {
        await datastore.finish();
        return {};
      },
      onResponseError: (_request, error) => {
        failure = error;
        return undefined;
      },
    });
    const body = method === 'PATCH' ? new PassThrough({ highWaterMark: BUFFERED_BYTES }) : null;
    const onClose = () => {
      if (!raw.complete) body?.destroy(new Error('the client has disconnected'));
    };
    raw.once('close', onClose);
    if (raw.destroyed) onClose();
    else if (body) raw.pipe(body);
    try {
      const response = await server.handleWeb(
        new Request(`http://api/${task.id}`, {
          method,
          headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
          body: body && (Readable.toWeb(body) as ReadableStream<Uint8Array>),
          duplex: 'half',
        } as RequestInit),
      );
      if (failure instanceof Error) throw failure;
      if (response.status >= 400) {
        const code = CODE_BY_STATUS[response.status] ?? 'request.malformed';
        throw new AppError(code, {
          description: (await response.text()).trim(),
          ...(code === 'service.unavailable' && { retryAfterSeconds: RETRY_SECONDS }),
        });
      }
      return response;
    } finally {
      // The rest of a rejected body is drained, so that the client receives the response.
      raw.off('close', onClose);
      if (body) raw.unpipe(body);
      raw.resume();
    }
  }
}

function checkChange({ headers }: FastifyRequest, task: ResumableTask): void {
  if (task.isFinished) throw new AppError('uploads.closed');
  const length = headers['upload-length'];
  if (length !== undefined && Number(length) !== task.sizeBytes) throw new AppError('uploads.size_mismatch');
}
