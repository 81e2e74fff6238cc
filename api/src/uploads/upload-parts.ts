import { Readable } from 'node:stream';
import { objectKeys } from '@clearframe/contract';
import { ObjectStore, type StoredObject } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';

/**
 * The received bytes of unfinished uploads, in objects named by their offset. What is stored follows from a listing, so
 * that a killed process loses nothing, and deleting a folder deletes an upload.
 */
@Injectable()
export class UploadParts {
  constructor(private readonly store: ObjectStore) {}

  async endOf(taskId: string): Promise<number> {
    return endOf(await this.list(taskId));
  }

  append(taskId: string, offset: number, bytes: Uint8Array): Promise<boolean> {
    return this.store.putOnce(objectKeys.uploadPart(taskId, offset), bytes);
  }

  read(taskId: string): Readable {
    return Readable.from(this.bytesOf(taskId), { objectMode: false });
  }

  async delete(taskId: string): Promise<void> {
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

function endOf(parts: readonly StoredObject[]): number {
  let end = 0;
  for (const { key, sizeBytes } of parts) {
    if (Number(key.slice(key.lastIndexOf('/') + 1)) !== end) break;
    end += sizeBytes;
  }
  return end;
}
