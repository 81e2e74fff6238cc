import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { AppError } from '../platform/errors/app-error.js';
import type { ResumableTask, ResumableUploadsService } from './resumable-uploads.service.js';
import { SNIFFED_BYTES, sniffType } from './upload-validator.js';
import { RESUMABLE_LIFETIME_MS } from './uploads.service.js';

/** Buffered for each request. At most this much has to be sent again after a crash. */
const PART_BYTES = 512 * 1024;
/** Shorter remainders are dropped, to bound the number of parts. Includes the file's type. */
const MIN_PART_BYTES = Math.max(64 * 1024, SNIFFED_BYTES);

export class TusStore extends DataStore {
  override readonly extensions = ['expiration', 'termination'];

  private hasBegun: boolean;
  private isJoined: boolean;

  constructor(
    private readonly task: ResumableTask,
    private readonly uploads: ResumableUploadsService,
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
    const offset = isFinished ? size : await this.uploads.parts.endOf(id);
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
    if (offset === 0 && !(await sniffType(bytes, mediaType))) {
      const error = new AppError('uploads.unsupported_type');
      await this.uploads.reject(id, error);
      throw error;
    }
    if (!(await this.uploads.parts.append(id, offset, bytes))) throw ERRORS.INVALID_OFFSET;
  }
}
