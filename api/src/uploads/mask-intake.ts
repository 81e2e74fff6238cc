import { createHash } from 'node:crypto';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { inMilliseconds, MASK_MAX_BYTES, type Mask, objectKeys } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { OutboundHttp } from '../platform/outbound/outbound-http.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { tooLarge } from './upload-intake.js';

/** A mask whose header has been checked. */
export interface SentMask extends Mask {
  /** Must be read or destroyed. */
  readonly body: Readable;
}

/** The largest mask at 6.4 Mbit/s. */
export const MASK_FETCH_MS = inMilliseconds.seconds(20);

/** Masks of tasks that await their pictures. The worker decodes them. */
@Injectable()
export class MaskIntake {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly store: ObjectStore,
    private readonly outbound: OutboundHttp,
  ) {}

  /** @throws AppError `uploads.closed` */
  async receive(taskId: string, { body, ...mask }: SentMask): Promise<void> {
    await this.store.put(objectKeys.mask(taskId), body);
    await this.record(taskId, mask);
  }

  /** @throws AppError why the file at the address is not accepted; `uploads.closed` */
  async fetch(taskId: string, address: string, signal?: AbortSignal): Promise<void> {
    const limits = { maxBytes: MASK_MAX_BYTES, totalMs: MASK_FETCH_MS };
    const { body } = await this.outbound.download(address, { ...(signal && { signal }), limits });
    const validator = new MaskValidator();
    body.once('error', (error) => validator.destroy(error));
    try {
      await this.store.put(objectKeys.mask(taskId), body.pipe(validator));
    } finally {
      body.destroy();
    }
    await this.record(taskId, validator.mask());
  }

  private async record(taskId: string, mask: Mask): Promise<void> {
    if (!(await this.tasks.updateUpload(taskId, { mask }))) throw new AppError('uploads.closed');
  }
}

/** Signature, length and type of the first chunk, width, height, bits a sample and color type. */
const HEADER_BYTES = 26;
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const GRAY = 0;

/** Passes a file on, and rejects one that is too large or whose header is no mask's. */
export class MaskValidator extends Transform {
  private readonly hash = createHash('sha256');
  private head = Buffer.alloc(0);
  private sizeBytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const hadHeader = this.head.length >= HEADER_BYTES;
    this.sizeBytes += chunk.length;
    this.hash.update(chunk);
    if (!hadHeader) this.head = Buffer.concat([this.head, chunk.subarray(0, HEADER_BYTES)]);
    try {
      if (this.sizeBytes > MASK_MAX_BYTES) throw tooLarge(MASK_MAX_BYTES);
      if (!hadHeader && this.head.length >= HEADER_BYTES) requireGray(this.head);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    done(this.head.length < HEADER_BYTES ? unsupported('It is no PNG.') : null);
  }

  /** Of the file that has passed. */
  mask(): Mask {
    return { width: this.head.readUInt32BE(16), height: this.head.readUInt32BE(20), sha256: this.hash.digest('hex') };
  }
}

function requireGray(head: Buffer): void {
  if (!head.subarray(0, PNG_START.length).equals(PNG_START)) throw unsupported('It is no PNG.');
  const [bits, colorType] = [head.readUInt8(24), head.readUInt8(25)];
  if (colorType !== GRAY) throw unsupported(`Its color type is ${colorType}, not gray (0).`);
  if (bits !== 8) throw unsupported(`It has ${bits} bits a sample, not 8.`);
}

const unsupported = (reason: string): AppError =>
  new AppError('masks.not_gray', { description: `The mask must be a PNG in 8-bit gray. ${reason}` });
