import { IMAGE_LIMITS, type ImageContentType, type InvalidCode, inSeconds, objectKeys } from '@clearframe/contract';
import { ObjectStore, type SignedUpload, type UploadGrant } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { SNIFFED_BYTES, sniffImageType } from './sniff.js';

export const UPLOAD_URL_LIFETIME_SECONDS = inSeconds.minutes(15);

/** The file of a task: usable, or the code of what is wrong. Without a file (`isMissing`) one may still be uploaded. */
export type Inspection =
  | { readonly ok: true; readonly sizeBytes: number; readonly contentType: ImageContentType }
  | { readonly ok: false; readonly isMissing: boolean; readonly code: InvalidCode };

/** Uploads of pictures, seen from the tasks they belong to. */
@Injectable()
export class UploadsService {
  constructor(private readonly store: ObjectStore) {}

  /**
   * Where a task's bytes are to be sent.
   * @param declared what the client promised about them; S3 refuses other bytes
   */
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
   * Looks at what was uploaded without decoding it.
   * @param refusal why bytes were not taken, where they came and were not
   */
  async inspect(taskId: string, declaredSize: number | null, refusal: InvalidCode | null): Promise<Inspection> {
    const found = await this.find(taskId);
    if (!found) return { ok: false, isMissing: true, code: refusal ?? 'uploads.missing' };
    const { key, sizeBytes } = found;
    const refuse = (code: InvalidCode): Inspection => ({ ok: false, isMissing: false, code });
    if (sizeBytes === 0) return refuse('uploads.empty');
    if (sizeBytes > IMAGE_LIMITS.maxBytes) return refuse('uploads.too_large');
    if (declaredSize !== null && declaredSize !== sizeBytes) return refuse('uploads.size_mismatch');
    const start = await this.store.readStart(key, SNIFFED_BYTES).catch(async (error: unknown) => {
      // Another request has claimed or deleted it meanwhile.
      if ((await this.store.sizeOf(key)) !== null) throw error;
      return null;
    });
    if (start === null) return this.inspect(taskId, declaredSize, refusal);
    const contentType = await sniffImageType(start);
    return contentType ? { ok: true, sizeBytes, contentType } : refuse('uploads.unsupported_type');
  }

  /** Whether a task has a file. */
  async has(taskId: string): Promise<boolean> {
    return (await this.find(taskId)) !== null;
  }

  /** Takes an upload out of its address's reach. Claiming again changes nothing. */
  async claim(taskId: string): Promise<void> {
    const [from, to] = [objectKeys.upload(taskId), objectKeys.input(taskId)];
    if ((await this.store.sizeOf(from)) === null) return;
    await this.store.move(from, to).catch(async (error: unknown) => {
      // Another request has claimed or deleted it meanwhile.
      if ((await this.store.sizeOf(from)) !== null) throw error;
    });
  }

  /** A file that was claimed by a transaction which then failed lies where claimed files lie. */
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
