import { createHash } from 'node:crypto';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import {
  acceptedVideoTypeOf,
  IMAGE_LIMITS,
  INVALID_CODES,
  type InvalidCode,
  inMilliseconds,
  LIFETIMES,
  type Mask,
  type MediaContentType,
  type MediaType,
  mediaTypeOf,
  megapixels,
  objectKeys,
  pictureTypeOf,
  RESUMABLE_OVER_BYTES,
  TIME_LIMIT_MARGIN_MS,
  TIME_LIMITS,
} from '@clearframe/contract';
import { ObjectMissingError, ObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import { rawScope } from '../platform/http/json-body.js';
import { type DueWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';
import { requireSignedQuery, SigningConfig } from '../platform/storage/signed-url.js';
import { type TaskRow, uploadLimitsOf } from '../tasks/task.entity.js';
import { AWAITS_FILE, TasksRepository } from '../tasks/tasks.repository.js';

/** An upload ends with its request. */
const LONGEST_UPLOAD_MS = TIME_LIMITS.request.api + TIME_LIMIT_MARGIN_MS;

export const UPLOAD_URL_LIFETIME_SECONDS = LIFETIMES.uploadAddress;

export const putExpiry = (now: Date): Date =>
  new Date(now.getTime() + inMilliseconds.seconds(UPLOAD_URL_LIFETIME_SECONDS));

export const RESUMABLE_LIFETIME_MS = inMilliseconds.seconds(LIFETIMES.resumableUpload);

/** Null for a task without an address for a resumable upload. */
export function resumableExpiryOf({
  declaredSizeBytes,
  createdAt,
}: Pick<TaskRow, 'declaredSizeBytes' | 'createdAt'>): Date | null {
  if (declaredSizeBytes === null || declaredSizeBytes <= RESUMABLE_OVER_BYTES) return null;
  return new Date(createdAt.getTime() + RESUMABLE_LIFETIME_MS);
}

interface Unusable {
  readonly ok: false;
  /** A file may still be uploaded. */
  readonly isMissing: boolean;
  readonly code: InvalidCode;
}

interface UsableFile {
  readonly ok: true;
  readonly sizeBytes: number;
  readonly contentType: MediaContentType;
  /** Size of a picture, from its header; null if the header is not at the start. */
  readonly megapixels: number | null;
}

/** A usable file, which its upload URL can't replace any more, or the problem. */
export type Inspection = (UsableFile & { readonly sha256: string }) | Unusable;

export interface SentFile {
  readonly body: Readable;
  /** Whether the client has sent everything. */
  readonly isComplete: () => boolean;
  /** NaN when it is unknown. */
  readonly contentLength: number;
}

interface UploadBounds {
  readonly maxBytes: number;
  readonly addressExpiresAt: Date;
}

/** The code to store for a file that was refused; null for another failure. */
export const invalidCodeOf = (error: unknown): InvalidCode | null =>
  (error instanceof AppError && INVALID_CODES.find((known) => known === error.code)) || null;

/** The reason is that of the last upload, if it was refused. */
const missing = ({ errorCode }: TaskRow): Unusable => ({
  ok: false,
  isMissing: true,
  code: INVALID_CODES.find((known) => known === errorCode) ?? 'uploads.missing',
});

/** Of an address. @throws AppError `uploads.not_found` */
export function taskIdIn({ params }: FastifyRequest): string {
  const { data } = z.object({ taskId: z.uuid() }).safeParse(params);
  if (!data) throw new AppError('uploads.not_found');
  return data.taskId;
}

const latest = (one: Date, other: Date | null): Date => (other && other > one ? other : one);

/** The bytes of uploads, from their arrival to the inspected original. */
@Injectable()
@SchedulesWork()
export class UploadIntake implements WorkSource, OnModuleInit {
  readonly scheduledWork: readonly [DueWork] = [
    {
      kind: 'uploads.expire',
      everyMs: inMilliseconds.seconds(10),
      timeoutMs: inMilliseconds.seconds(10),
      backoff: { firstMs: inMilliseconds.seconds(5), maxMs: inMilliseconds.minutes(10) },
      maxAttempts: 20,
      due: () => ({
        table: 'tasks',
        subject: 'id',
        where: `${AWAITS_FILE} AND upload_expires_at <= now()`,
        orderBy: 'upload_expires_at',
      }),
      run: (taskId) => this.expire(taskId),
    },
  ];

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly storage: StorageConfig,
    private readonly signing: SigningConfig,
    private readonly store: ObjectStore,
    private readonly tasks: TasksRepository,
  ) {}

  /** The upload address of the disk store; S3 has its own. */
  async onModuleInit(): Promise<void> {
    if (this.storage.settings.driver !== 'disk') return;
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) => {
      scope.put('/media/uploads/:taskId', { config: { cors: true } }, (request, reply) =>
        this.receivePut(request, reply),
      );
    });
  }

  private async receivePut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const taskId = taskIdIn(request);
    const { max, expires } = requireSignedQuery(this.signing.secret, request.query as Record<string, unknown>, {
      method: 'PUT',
      key: objectKeys.upload(taskId),
      names: ['expires', 'max'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.url_expired',
    });
    const { raw: body, headers } = request;
    const contentLength = Number(headers['content-length'] ?? Number.NaN);
    await this.receive(
      taskId,
      { body, isComplete: () => body.complete, contentLength },
      { maxBytes: Number(max), addressExpiresAt: new Date(inMilliseconds.seconds(Number(expires))) },
    );
    return reply.status(200).header('cache-control', 'no-store').send();
  }

  /**
   * Streams a file to the store, which has it whole or not at all; rejects a wrong file at once.
   * @throws AppError the reason why the file is not accepted; `uploads.closed`, `uploads.incomplete`
   */
  async receive(taskId: string, sent: SentFile, { maxBytes, addressExpiresAt }: UploadBounds): Promise<void> {
    const key = objectKeys.upload(taskId);
    const task = await this.tasks.find(taskId);
    if (!task) throw new AppError('uploads.not_found');
    const { mediaType, declaredSizeBytes: sizeBytes, sha256 } = task;
    const lastExpiry = latest(addressExpiresAt, resumableExpiryOf(task));
    const uploadExpiresAt = latest(lastExpiry, new Date(Date.now() + LONGEST_UPLOAD_MS));
    if (!(await this.tasks.updateUpload(taskId, { uploadExpiresAt }))) throw new AppError('uploads.closed');
    const recordRejection = async (error: unknown) => {
      const errorCode = invalidCodeOf(error);
      if (errorCode) await this.tasks.updateUpload(taskId, { errorCode });
    };
    const validator = new UploadValidator({ mediaType, sizeBytes, sha256, maxBytes }, recordRejection);
    try {
      if (sent.contentLength > maxBytes) {
        await recordRejection(tooLarge(maxBytes));
        throw tooLarge(maxBytes);
      }
      await pipeThrough(sent, validator, (bytes) => this.store.put(key, bytes));
    } catch (error) {
      // It may be repeated until its addresses expire.
      await this.tasks.updateUpload(taskId, { uploadExpiresAt: lastExpiry });
      throw sent.body.destroyed && !sent.isComplete() && !(error instanceof AppError)
        ? new AppError('uploads.incomplete', { cause: error })
        : error;
    }
    const { contentType } = validator;
    if (!contentType || !(await this.finish(taskId, { sizeBytes: validator.sizeBytes, contentType }))) {
      await this.store.delete(key);
      throw new AppError('uploads.closed');
    }
  }

  /** Records a stored file. False when the task no longer accepts uploads. */
  finish(taskId: string, file: { sizeBytes: number; contentType: MediaContentType }): Promise<boolean> {
    return this.tasks.updateUpload(taskId, { ...file, errorCode: null });
  }

  /**
   * Inspects an upload, moves a usable file to where its URL can't replace it, and verifies its checksum there. Does not
   * decode the file.
   */
  async accept(task: TaskRow): Promise<Inspection> {
    const inspection = await this.inspect(task);
    if (!inspection.ok) return inspection;
    await this.claim(task.id);
    const sha256 = await this.store.sha256Of(objectKeys.input(task.id)).catch((error: unknown) => {
      // Another request has rejected or deleted it.
      if (error instanceof ObjectMissingError) return null;
      throw error;
    });
    if (sha256 === null) return missing(task);
    return task.sha256 === null || task.sha256 === sha256
      ? { ...inspection, sha256 }
      : { ok: false, isMissing: false, code: 'uploads.checksum_mismatch' };
  }

  private async inspect(task: TaskRow): Promise<UsableFile | Unusable> {
    const found = await this.find(task.id);
    if (!found) return missing(task);
    const { key, sizeBytes } = found;
    const reject = (code: InvalidCode): Unusable => ({ ok: false, isMissing: false, code });
    if (sizeBytes === 0) return reject('uploads.empty');
    const { maxBytes, mediaType } = uploadLimitsOf(task);
    if (sizeBytes > maxBytes) return reject('uploads.too_large');
    const { declaredSizeBytes } = task;
    if (declaredSizeBytes !== null && declaredSizeBytes !== sizeBytes) return reject('uploads.size_mismatch');
    const start = await this.store.readStart(key, HEADER_BYTES).catch(async (error: unknown) => {
      // Another request may have claimed or deleted it.
      if ((await this.store.sizeOf(key)) !== null) throw error;
      return null;
    });
    if (start === null) return this.inspect(task);
    const contentType = await sniffType(start, mediaType);
    if (!contentType) return reject('uploads.unsupported_type');
    const pixels = pixelsIn(start, contentType);
    if (isTooLarge(pixels)) return reject('uploads.too_many_pixels');
    if (task.mask && !mayHaveSize(start, contentType, task.mask)) return reject('masks.size_mismatch');
    return { ok: true, sizeBytes, contentType, megapixels: pixels === null ? null : pixels / megapixels(1) };
  }

  private async claim(taskId: string): Promise<void> {
    const [from, to] = [objectKeys.upload(taskId), objectKeys.input(taskId)];
    if ((await this.store.sizeOf(from)) === null) return;
    // Parts of an interrupted resumable upload, sent before a single PUT.
    await this.store.delete(objectKeys.uploadParts(taskId));
    await this.store.move(from, to).catch(async (error: unknown) => {
      if ((await this.store.sizeOf(from)) !== null) throw error;
    });
  }

  private async find(taskId: string): Promise<{ key: string; sizeBytes: number } | null> {
    for (const key of [objectKeys.upload(taskId), objectKeys.input(taskId)]) {
      const sizeBytes = await this.store.sizeOf(key);
      if (sizeBytes !== null) return { key, sizeBytes };
    }
    return null;
  }

  async discard(taskId: string): Promise<void> {
    await this.store.delete(objectKeys.uploadParts(taskId));
    await this.store.delete(objectKeys.upload(taskId));
    await this.store.delete(objectKeys.input(taskId));
    await this.store.delete(objectKeys.mask(taskId));
  }

  /** S3 does not report uploads: a file in the store ends the expiry instead of the task. */
  private async expire(taskId: string): Promise<void> {
    if (await this.find(taskId)) {
      await this.tasks.clearUploadExpiry(taskId);
      return;
    }
    // First, so that an interrupted expiry is repeated.
    await this.discard(taskId);
    await this.tasks.expireUpload(taskId);
  }
}

/** Drains the rest of a rejected body, so that the client receives the response. */
export async function pipeThrough(
  { body, isComplete }: SentFile,
  validator: UploadValidator,
  store: (validator: UploadValidator) => Promise<void>,
): Promise<void> {
  const onClose = () => {
    if (!isComplete()) validator.destroy(new Error('the client has disconnected'));
  };
  body.once('close', onClose);
  // A request only closes; a file by address says why.
  body.on('error', (error) => validator.destroy(error));
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

/** Bytes needed to detect the type of a file. */
export const SNIFFED_BYTES = 4_100;

/** Holds the dimensions of most pictures: a JPEG's follow its EXIF, which has at most 64 KB. */
export const HEADER_BYTES = 80_000;

export async function sniffType(file: Uint8Array, mediaType: MediaType): Promise<MediaContentType | null> {
  const start = file.subarray(0, SNIFFED_BYTES);
  const picture = pictureTypeOf(start);
  if (mediaType === 'image' || picture) return mediaType === 'image' ? picture : null;
  const detected = await fileTypeFromBuffer(start);
  return detected ? acceptedVideoTypeOf(detected.mime) : null;
}

/** Pixels of a picture by its header; null when the start of the file does not tell, and for a video. */
export function pixelsIn(start: Uint8Array, contentType: MediaContentType): number | null {
  if (mediaTypeOf(contentType) !== 'image') return null;
  try {
    const { width, height } = imageSize(start);
    return width > 0 && height > 0 ? width * height : null;
  } catch {
    return null;
  }
}

/** Formats whose header has the size of the pixels that decoders return. */
const SIZED: readonly MediaContentType[] = ['image/jpeg', 'image/png', 'image/webp'];

/** False if the picture has another size however it is turned. The worker, which decodes it, knows for certain. */
function mayHaveSize(start: Uint8Array, contentType: MediaContentType, { width, height }: Mask): boolean {
  if (!SIZED.includes(contentType)) return true;
  try {
    const size = imageSize(start);
    return [size.width, size.height].sort(ascending).join() === [width, height].sort(ascending).join();
  } catch {
    return true;
  }
}

const ascending = (one: number, other: number): number => one - other;

const isTooLarge = (pixels: number | null): boolean => pixels !== null && pixels > IMAGE_LIMITS.maxPixels;

interface FileStart {
  readonly contentType: MediaContentType;
  /** See {@link pixelsIn}. */
  readonly pixels: number | null;
}

/** @throws AppError `uploads.unsupported_type`, `uploads.too_many_pixels` */
export async function checkStart(start: Uint8Array, mediaType: MediaType): Promise<FileStart> {
  const contentType = await sniffType(start, mediaType);
  if (!contentType) throw new AppError('uploads.unsupported_type');
  const pixels = pixelsIn(start, contentType);
  if (isTooLarge(pixels)) throw new AppError('uploads.too_many_pixels');
  return { contentType, pixels };
}

interface UploadConstraints {
  readonly mediaType: MediaType;
  readonly maxBytes: number;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/**
 * Rejects excess bytes at once, a wrong type after the first bytes, too many pixels after the header, an empty file or
 * one that differs from its declaration at the end.
 */
export class UploadValidator extends Transform {
  sizeBytes = 0;
  contentType: MediaContentType | null = null;
  private readonly hash = createHash('sha256');
  /** Held back until it has told what the file is; then null. */
  private head: Buffer | null = Buffer.alloc(0);

  /** @param onRejection awaited before the stream, and the connection, breaks */
  constructor(
    private readonly expected: UploadConstraints,
    private readonly onRejection: (error: unknown) => Promise<void> = () => Promise.resolve(),
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.inspect(chunk).then(
      (passing) => done(null, passing),
      (error: Error) => this.reject(error, done),
    );
  }

  override _flush(done: TransformCallback): void {
    this.finish().then(
      (head) => done(null, head),
      (error: Error) => this.reject(error, done),
    );
  }

  private reject(error: Error, done: TransformCallback): void {
    this.onRejection(error).then(
      () => done(error),
      (cause: Error) => done(cause),
    );
  }

  private async inspect(chunk: Buffer): Promise<Buffer | null> {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.expected.maxBytes) throw tooLarge(this.expected.maxBytes);
    this.hash.update(chunk);
    if (this.head === null) return chunk;
    this.head = Buffer.concat([this.head, chunk]);
    if (this.head.length < SNIFFED_BYTES) return null;
    const { pixels } = await this.check(this.head);
    const isHeaderToCome = pixels === null && this.expected.mediaType === 'image' && this.head.length < HEADER_BYTES;
    return isHeaderToCome ? null : this.release();
  }

  private async finish(): Promise<Buffer | null> {
    if (this.sizeBytes === 0) throw new AppError('uploads.empty');
    if (this.head !== null) await this.check(this.head);
    const { sizeBytes, sha256 } = this.expected;
    if (sizeBytes !== null && sizeBytes !== this.sizeBytes) {
      throw new AppError('uploads.size_mismatch', { details: { declared: sizeBytes, received: this.sizeBytes } });
    }
    if (sha256 !== null && sha256 !== this.hash.digest('hex')) throw new AppError('uploads.checksum_mismatch');
    return this.release();
  }

  private async check(head: Buffer): Promise<FileStart> {
    const start = await checkStart(head, this.expected.mediaType);
    this.contentType = start.contentType;
    return start;
  }

  private release(): Buffer | null {
    const { head } = this;
    this.head = null;
    return head;
  }
}

export const tooLarge = (maxBytes: number): AppError =>
  new AppError('uploads.too_large', {
    description: `The file is larger than ${maxBytes / 1_000_000} MB.`,
    details: { max_bytes: maxBytes },
  });
