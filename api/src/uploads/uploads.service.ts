import {
  IMAGE_LIMITS,
  type InvalidCode,
  inMilliseconds,
  inSeconds,
  type MediaContentType,
  type MediaType,
  megapixels,
  objectKeys,
  RESUMABLE_OVER_BYTES,
} from '@clearframe/contract';
import { ObjectMissingError, ObjectStore, type SignedUpload, type UploadGrant } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { HEADER_BYTES, pixelsIn, sniffType } from './upload-validator.js';

const UPLOAD_URL_LIFETIME_SECONDS = inSeconds.minutes(15);

export const putExpiry = (now: Date): Date =>
  new Date(now.getTime() + inMilliseconds.seconds(UPLOAD_URL_LIFETIME_SECONDS));

export const RESUMABLE_LIFETIME_MS = inMilliseconds.hours(24);

interface AnnouncedFile {
  readonly declaredSizeBytes: number | null;
  readonly createdAt: Date;
}

/** Null for a task without an address for a resumable upload. */
export function resumableExpiryOf({ declaredSizeBytes, createdAt }: AnnouncedFile): Date | null {
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

export interface Declaration {
  readonly id: string;
  readonly mediaType: MediaType;
  readonly maxBytes: number;
  readonly declaredSizeBytes: number | null;
  readonly sha256: string | null;
}

@Injectable()
export class UploadsService {
  constructor(private readonly store: ObjectStore) {}

  /** @param declared by the client; S3 rejects a file that differs */
  async target(
    taskId: string,
    contentType: MediaContentType,
    declared: Pick<UploadGrant, 'maxBytes' | 'sizeBytes' | 'sha256'>,
  ): Promise<SignedUpload> {
    return this.store.signUpload({
      key: objectKeys.upload(taskId),
      contentType,
      ...declared,
      expiresInSeconds: UPLOAD_URL_LIFETIME_SECONDS,
    });
  }

  /**
   * Inspects an upload, moves a usable file to where its URL can't replace it, and verifies its checksum there. Does not
   * decode the file.
   * @param rejection of the last upload; null if there was none
   */
  async accept(declared: Declaration, rejection: InvalidCode | null): Promise<Inspection> {
    const inspection = await this.inspect(declared, rejection);
    if (!inspection.ok) return inspection;
    await this.claim(declared.id);
    const sha256 = await this.store.sha256Of(objectKeys.input(declared.id)).catch((error: unknown) => {
      // Another request has rejected or deleted it.
      if (error instanceof ObjectMissingError) return null;
      throw error;
    });
    if (sha256 === null) return { ok: false, isMissing: true, code: rejection ?? 'uploads.missing' };
    return declared.sha256 === null || declared.sha256 === sha256
      ? { ...inspection, sha256 }
      : { ok: false, isMissing: false, code: 'uploads.checksum_mismatch' };
  }

  private async inspect(declared: Declaration, rejection: InvalidCode | null): Promise<UsableFile | Unusable> {
    const found = await this.find(declared.id);
    if (!found) return { ok: false, isMissing: true, code: rejection ?? 'uploads.missing' };
    const { key, sizeBytes } = found;
    const reject = (code: InvalidCode): Unusable => ({ ok: false, isMissing: false, code });
    if (sizeBytes === 0) return reject('uploads.empty');
    if (sizeBytes > declared.maxBytes) return reject('uploads.too_large');
    const { declaredSizeBytes } = declared;
    if (declaredSizeBytes !== null && declaredSizeBytes !== sizeBytes) return reject('uploads.size_mismatch');
    const start = await this.store.readStart(key, HEADER_BYTES).catch(async (error: unknown) => {
      // Another request may have claimed or deleted it.
      if ((await this.store.sizeOf(key)) !== null) throw error;
      return null;
    });
    if (start === null) return this.inspect(declared, rejection);
    const contentType = await sniffType(start, declared.mediaType);
    if (!contentType) return reject('uploads.unsupported_type');
    const pixels = pixelsIn(start, contentType);
    if (pixels !== null && pixels > IMAGE_LIMITS.maxPixels) return reject('uploads.too_many_pixels');
    return { ok: true, sizeBytes, contentType, megapixels: pixels === null ? null : pixels / megapixels(1) };
  }

  async has(taskId: string): Promise<boolean> {
    return (await this.find(taskId)) !== null;
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
  }
}
