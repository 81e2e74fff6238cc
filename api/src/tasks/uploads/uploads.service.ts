import { IMAGE_LIMITS, type ImageContentType, type InvalidCode, inSeconds, objectKeys } from '@clearframe/contract';
import { ObjectStore, type SignedUpload, type UploadGrant } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { SNIFFED_BYTES, sniffImageType } from './sniff.js';

export const UPLOAD_URL_LIFETIME_SECONDS = inSeconds.minutes(15);

/** A usable file, or the code of the problem. With `isMissing` a file may still be uploaded. */
export type Inspection =
  | { readonly ok: true; readonly sizeBytes: number; readonly contentType: ImageContentType }
  | { readonly ok: false; readonly isMissing: boolean; readonly code: InvalidCode };

@Injectable()
export class UploadsService {
  constructor(private readonly store: ObjectStore) {}

  /** @param declared by the client; S3 rejects a file that differs */
  async target(
    taskId: string,
    contentType: ImageContentType,
    declared: Pick<UploadGrant, 'sizeBytes' | 'sha256'> = {},
  ): Promise<SignedUpload> {
    return this.store.signUpload({
      key: objectKeys.upload(taskId),
      contentType,
      maxBytes: IMAGE_LIMITS.maxBytes,
      ...declared,
      expiresInSeconds: UPLOAD_URL_LIFETIME_SECONDS,
    });
  }

  /**
   * Does not decode the file.
   * @param rejection of the last upload; null if there was none
   */
  async inspect(taskId: string, declaredSize: number | null, rejection: InvalidCode | null): Promise<Inspection> {
    const found = await this.find(taskId);
    if (!found) return { ok: false, isMissing: true, code: rejection ?? 'uploads.missing' };
    const { key, sizeBytes } = found;
    const reject = (code: InvalidCode): Inspection => ({ ok: false, isMissing: false, code });
    if (sizeBytes === 0) return reject('uploads.empty');
    if (sizeBytes > IMAGE_LIMITS.maxBytes) return reject('uploads.too_large');
    if (declaredSize !== null && declaredSize !== sizeBytes) return reject('uploads.size_mismatch');
    const start = await this.store.readStart(key, SNIFFED_BYTES).catch(async (error: unknown) => {
      // Another request may have claimed or deleted it.
      if ((await this.store.sizeOf(key)) !== null) throw error;
      return null;
    });
    if (start === null) return this.inspect(taskId, declaredSize, rejection);
    const contentType = await sniffImageType(start);
    return contentType ? { ok: true, sizeBytes, contentType } : reject('uploads.unsupported_type');
  }

  async has(taskId: string): Promise<boolean> {
    return (await this.find(taskId)) !== null;
  }

  /** Moves a file to where its upload URL can't replace it. Idempotent. */
  async claim(taskId: string): Promise<void> {
    const [from, to] = [objectKeys.upload(taskId), objectKeys.input(taskId)];
    if ((await this.store.sizeOf(from)) === null) return;
    await this.store.move(from, to).catch(async (error: unknown) => {
      // Another request may have claimed or deleted it.
      if ((await this.store.sizeOf(from)) !== null) throw error;
    });
  }

  /** The file as uploaded, or as claimed by an earlier call that failed. */
  private async find(taskId: string): Promise<{ key: string; sizeBytes: number } | null> {
    for (const key of [objectKeys.upload(taskId), objectKeys.input(taskId)]) {
      const sizeBytes = await this.store.sizeOf(key);
      if (sizeBytes !== null) return { key, sizeBytes };
    }
    return null;
  }

  async discard(taskId: string): Promise<void> {
    await this.store.delete(objectKeys.upload(taskId));
    await this.store.delete(objectKeys.input(taskId));
  }
}
