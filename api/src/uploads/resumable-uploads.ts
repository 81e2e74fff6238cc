import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ErrorCode, inMilliseconds, type MediaType, objectKeys } from '@clearframe/contract';
import { ObjectStore, type StoredObject, signQuery } from '@clearframe/runtime/storage';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DataStore, ERRORS, MemoryLocker, Server, Upload } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { rawScope } from '../platform/http/json-body.js';
import { requireSignedQuery, SigningConfig } from '../platform/storage/signed-url.js';
import { type TaskRow, uploadLimitsOf } from '../tasks/task.entity.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import {
  checkStart,
  invalidCodeOf,
  RESUMABLE_LIFETIME_MS,
  resumableExpiryOf,
  SNIFFED_BYTES,
  taskIdIn,
  UploadIntake,
  UploadValidator,
} from './upload-intake.js';

/** Signed in place of a method: an address allows every request of the protocol. */
const RESUMABLE_METHOD = 'TUS';

/** Buffered for each request. At most this much has to be sent again after a crash. */
const PART_BYTES = 512 * 1024;
/** Shorter remainders are dropped, to bound the number of parts. Includes the file's type. */
const MIN_PART_BYTES = Math.max(64 * 1024, SNIFFED_BYTES);

/** The S3 client buffers 20 MB for each file that it writes. */
const CONCURRENT_JOINS = 2;

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

interface ResumableTask {
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

/**
 * The address of resumable uploads, tus 1.0 for both stores. The signed address authorizes every request; the server
 * has created the upload, so there is no POST.
 *
 * The received bytes of unfinished uploads are objects named by their offset. What is stored follows from a listing, so
 * that a killed process loses nothing, and deleting a folder deletes an upload.
 */
@Injectable()
export class ResumableUploads implements OnModuleInit {
  /** Ends a request whose client has reconnected. Parts are written once, so that other processes need no lock. */
  private readonly locker = new MemoryLocker();
  private readonly joins = new PQueue({ concurrency: CONCURRENT_JOINS });
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly tasks: TasksRepository,
    private readonly intake: UploadIntake,
    private readonly store: ObjectStore,
    private readonly app: AppConfig,
    private readonly signing: SigningConfig,
  ) {}

  /** Null for small files and undeclared sizes. */
  addressOf(task: Pick<TaskRow, 'id' | 'declaredSizeBytes' | 'createdAt'>): string | null {
    const expiry = resumableExpiryOf(task);
    if (!expiry) return null;
    const expires = String(Math.floor(expiry.getTime() / 1000));
    const query = signQuery(this.signing.secret, RESUMABLE_METHOD, objectKeys.uploadParts(task.id), { expires });
    return `${this.app.publicUrl}/media/resumable/${task.id}?${query}`;
  }

  async onModuleInit(): Promise<void> {
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) => {
      scope.route({
        method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
        url: '/media/resumable/:taskId',
        config: { cors: true },
        handler: (request, reply) => this.handle(request, reply.headers(TUS_HEADERS)),
      });
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const taskId = taskIdIn(request);
    requireSignedQuery(this.signing.secret, request.query as Record<string, unknown>, {
      method: RESUMABLE_METHOD,
      key: objectKeys.uploadParts(taskId),
      names: ['expires'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.expired',
    });
    const task = await this.find(taskId);
    if (request.method !== 'HEAD' && request.method !== 'OPTIONS') checkChange(request, task);
    const response = await this.respond(request, task);
    for (const [name, value] of response.headers) if (!name.startsWith('access-control-')) reply.header(name, value);
    return reply.status(response.status).send();
  }

  private async respond({ raw, method, headers }: FastifyRequest, task: ResumableTask): Promise<Response> {
    let failure: unknown = null;
    const datastore = new TusStore(task, this);
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

  /** @throws AppError `uploads.not_found`, `uploads.expired`, `uploads.closed` */
  private async find(taskId: string): Promise<ResumableTask> {
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
    if (!(await this.tasks.updateUpload(taskId, {}))) await this.close(taskId);
  }

  /** @throws AppError `uploads.closed` */
  async requireOpen(taskId: string): Promise<void> {
    if (!(await this.tasks.acceptsUpload(taskId))) await this.close(taskId);
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
    const errorCode = invalidCodeOf(error);
    if (!errorCode) return;
    await this.deleteParts(taskId);
    await this.tasks.updateUpload(taskId, { errorCode });
  }

  async terminate(taskId: string): Promise<void> {
    await this.tasks.cancelUpload(taskId);
    await this.deleteParts(taskId);
  }

  private async close(taskId: string): Promise<never> {
    await this.deleteParts(taskId);
    throw new AppError('uploads.closed');
  }

  private async join(task: ResumableTask): Promise<void> {
    const { id, sizeBytes } = task;
    const key = objectKeys.upload(id);
    const validator = new UploadValidator(task);
    try {
      await pipeline(Readable.from(this.bytesOf(id), { objectMode: false }), validator, () =>
        this.store.put(key, validator),
      );
    } catch (error) {
      await this.reject(id, error);
      throw error;
    }
    const { contentType } = validator;
    const isAccepted = contentType && (await this.intake.finish(id, { sizeBytes, contentType }));
    if (!isAccepted) await this.store.delete(key);
    await this.deleteParts(id);
    if (!isAccepted) throw new AppError('uploads.closed');
  }

  /** How many bytes are stored without a gap. */
  async endOf(taskId: string): Promise<number> {
    let end = 0;
    for (const { key, sizeBytes } of await this.list(taskId)) {
      if (Number(key.slice(key.lastIndexOf('/') + 1)) !== end) break;
      end += sizeBytes;
    }
    return end;
  }

  append(taskId: string, offset: number, bytes: Uint8Array): Promise<boolean> {
    return this.store.putOnce(objectKeys.uploadPart(taskId, offset), bytes);
  }

  private async deleteParts(taskId: string): Promise<void> {
    await this.store.delete(objectKeys.uploadParts(taskId));
  }

  private async *bytesOf(taskId: string): AsyncGenerator<Buffer> {
    for (const { key } of await this.list(taskId)) yield* await this.store.read(key);
  }

  private async list(taskId: string): Promise<StoredObject[]> {
    const parts: StoredObject[] = [];
    for await (const part of this.store.list(objectKeys.uploadParts(taskId))) parts.push(part);
    return parts.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

/** One upload as the library of the protocol sees it. */
class TusStore extends DataStore {
  override readonly extensions = ['expiration', 'termination'];

  private hasBegun: boolean;
  private isJoined: boolean;

  constructor(
    private readonly task: ResumableTask,
    private readonly uploads: ResumableUploads,
  ) {
    super();
    this.hasBegun = task.hasBegun;
    this.isJoined = task.isFinished;
  }

  override getExpiration(): number {
    return RESUMABLE_LIFETIME_MS;
  }

  override async getUpload(): Promise<Upload> {
    const { id, sizeBytes: size, createdAt, isFinished } = this.task;
    const offset = isFinished ? size : await this.uploads.endOf(id);
    // Interrupted between the last part and their joining.
    if (!isFinished && offset >= size) await this.finish();
    return new Upload({ id, size, offset, creation_date: createdAt.toISOString() });
  }

  /** @returns the new offset, also when the client has disconnected */
  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const buffer = Buffer.allocUnsafe(PART_BYTES);
    let end = offset;
    let filled = 0;
    const store = async () => {
      const bytes = buffer.subarray(0, filled);
      filled = 0;
      if (bytes.length < MIN_PART_BYTES && end + bytes.length < this.task.sizeBytes) return;
      await this.store(end, bytes);
      end += bytes.length;
    };
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        for (let read = 0; read < chunk.length; ) {
          const copied = chunk.copy(buffer, filled, read);
          read += copied;
          filled += copied;
          if (filled === PART_BYTES) await store();
        }
      }
    } catch (error) {
      if (!(error instanceof AppError)) await store();
      throw error;
    }
    if (filled > 0) await store();
    if (end === offset) return end;
    await this.uploads.requireOpen(id);
    return end;
  }

  /** Once for each request, and without the library's lock: joining may take a while. */
  async finish(): Promise<void> {
    if (!this.isJoined) await this.uploads.complete(this.task);
    this.isJoined = true;
  }

  override async remove(id: string): Promise<void> {
    await this.uploads.terminate(id);
  }

  private async store(offset: number, bytes: Buffer): Promise<void> {
    const { id, mediaType } = this.task;
    await (this.hasBegun ? this.uploads.requireOpen(id) : this.uploads.begin(id));
    this.hasBegun = true;
    if (offset === 0)
      await checkStart(bytes, mediaType).catch(async (error: unknown) => {
        await this.uploads.reject(id, error);
        throw error;
      });
    if (!(await this.uploads.append(id, offset, bytes))) throw ERRORS.INVALID_OFFSET;
  }
}

function checkChange({ headers }: FastifyRequest, task: ResumableTask): void {
  if (task.isFinished) throw new AppError('uploads.closed');
  const length = headers['upload-length'];
  if (length !== undefined && Number(length) !== task.sizeBytes) throw new AppError('uploads.size_mismatch');
}
