import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { MediaContentType, MediaType } from '@clearframe/contract';
import { AppError } from '../platform/errors/app-error.js';
import { SNIFFED_BYTES, sniffType } from './sniff.js';

export interface UploadConstraints {
  readonly mediaType: MediaType;
  readonly maxBytes: number;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/**
 * Rejects excess bytes at once, a wrong type after the first bytes, an empty file or one that differs from its
 * declaration at the end.
 */
export class UploadValidator extends Transform {
  sizeBytes = 0;
  contentType: MediaContentType | null = null;
  private readonly hash = createHash('sha256');
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
    return this.head.length < SNIFFED_BYTES ? null : this.release();
  }

  private async finish(): Promise<Buffer | null> {
    if (this.sizeBytes === 0) throw new AppError('uploads.empty');
    const head = this.head === null ? null : await this.release();
    const { sizeBytes, sha256 } = this.expected;
    if (sizeBytes !== null && sizeBytes !== this.sizeBytes) {
      throw new AppError('uploads.size_mismatch', { details: { declared: sizeBytes, received: this.sizeBytes } });
    }
    if (sha256 !== null && sha256 !== this.hash.digest('hex')) throw new AppError('uploads.checksum_mismatch');
    return head;
  }

  private async release(): Promise<Buffer> {
    const head = this.head ?? Buffer.alloc(0);
    this.head = null;
    this.contentType = await sniffType(head, this.expected.mediaType);
    if (!this.contentType) throw new AppError('uploads.unsupported_type');
    return head;
  }
}

export const tooLarge = (maxBytes: number): AppError =>
  new AppError('uploads.too_large', {
    description: `The file is larger than ${maxBytes / 1_000_000} MB.`,
    details: { max_bytes: maxBytes },
  });
