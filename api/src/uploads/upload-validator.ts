import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import {
  acceptedVideoTypeOf,
  type MediaContentType,
  type MediaType,
  mediaTypeOf,
  pictureTypeOf,
} from '@clearframe/contract';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import { AppError } from '../platform/errors/app-error.js';

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

interface UploadConstraints {
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
