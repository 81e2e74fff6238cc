import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isSafeObjectKey } from '@clearframe/contract';
import contentDisposition from 'content-disposition';

/** No object has the key: it was deleted, or never written. */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`there is no object ${key}`, options);
  }
}

/** Both bounds included; without `end` to the end. Bytes past the end are left out. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export interface LocalFile {
  readonly path: string;
  /** Deletes a temporary copy; call it after use. */
  release(): Promise<void>;
}

export interface UploadGrant {
  readonly key: string;
  readonly contentType: string;
  readonly maxBytes: number;
  /** Exact size, if known. A store may enforce it. */
  readonly sizeBytes?: number | null;
  /** In hex, if known. A store may enforce it. */
  readonly sha256?: string | null;
  readonly expiresInSeconds: number;
}

/** URL for one PUT, and its required headers. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a signed URL shows, and by which name browsers save it. */
export interface ReadGrant {
  readonly key: string;
  readonly contentType: string;
  /** Any text. */
  readonly fileName: string;
  /** Minimum lifetime of the URL. */
  readonly expiresInSeconds: number;
}

/**
 * Media by key (`objectKeys`). Writes are atomic and durable: acknowledged ones survive a power cut. Unsafe keys are
 * rejected.
 */
export abstract class ObjectStore {
  abstract put(key: string, body: Uint8Array | Readable, contentType?: string): Promise<void>;

  /** Stores the object unless the key exists. Of concurrent writers one gets true. */
  abstract putOnce(key: string, body: Uint8Array, contentType?: string): Promise<boolean>;

  /** @throws ObjectMissingError */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * A remote store downloads the object.
   * @throws ObjectMissingError
   */
  abstract fetch(key: string): Promise<LocalFile>;

  /** In bytes; null where there is no object. */
  abstract sizeOf(key: string): Promise<number | null>;

  /**
   * Copies at most 5 GB, replacing the target.
   * @throws ObjectMissingError
   */
  abstract copy(from: string, to: string): Promise<void>;

  /**
   * Replaces the target. Repeatable: once the source is gone, an existing target is the result.
   * @throws ObjectMissingError when neither exists
   */
  async move(from: string, to: string): Promise<void> {
    try {
      await this.moveObject(from, to);
    } catch (error) {
      if (error instanceof ObjectMissingError && (await this.sizeOf(to)) !== null) return;
      throw error;
    }
  }

  /** Below a prefix that ends in a slash, or all for the empty prefix; unordered. */
  abstract list(prefix: string): AsyncIterable<StoredObject>;

  /** Deletes the object, or everything below a key that ends in a slash, if any. */
  abstract delete(key: string): Promise<void>;

  /** @throws NotConfiguredError in a process that can't sign URLs */
  abstract signUpload(grant: UploadGrant): Promise<SignedUpload>;
  /**
   * The same grant gives the same URL for some minutes, so that browsers can cache it.
   * @throws NotConfiguredError in a process that can't sign URLs
   */
  abstract signRead(grant: ReadGrant): Promise<string>;

  /** Rejects while the store can't be written. */
  abstract checkWritable(): Promise<void>;

  /** Deletes files of killed processes. */
  abstract removeAbandoned(): Promise<void>;

  abstract close(): Promise<void>;

  /** @throws ObjectMissingError when there is no source */
  protected abstract moveObject(from: string, to: string): Promise<void>;

  /** Reads at most `length` bytes. @throws ObjectMissingError */
  async readStart(key: string, length: number): Promise<Buffer> {
    return buffer(await this.read(key, { start: 0, end: length - 1 }));
  }

  /**
   * In lowercase hex. Streams the object unless the store knows the checksum.
   * @throws ObjectMissingError
   */
  async sha256Of(key: string): Promise<string> {
    const hash = createHash('sha256');
    await pipeline(await this.read(key), hash);
    return hash.digest('hex');
  }

  /** Null where there is no object. */
  async readJson(key: string): Promise<unknown> {
    try {
      return JSON.parse((await buffer(await this.read(key))).toString('utf8'));
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }
}

/** A stream that fails before it is read must not end the process; the reader gets the error. */
export function deferStreamErrors(body: Uint8Array | Readable): void {
  if (!(body instanceof Uint8Array)) body.on('error', () => undefined);
}

/** @throws Error for a key that names no object */
export function requireObjectKey(key: string): string {
  if (!isSafeObjectKey(key) || key.endsWith('/')) throw new Error('the object key is not safe');
  return key;
}

/** @throws Error unless the prefix is empty, or a safe key with a final slash */
export function requirePrefix(prefix: string): string {
  if (prefix !== '' && !(prefix.endsWith('/') && isSafeObjectKey(prefix))) throw new Error('the prefix is not safe');
  return prefix;
}

/** Non-ASCII names go into `filename*`, with a fallback for older clients. */
export function contentDispositionOf(type: 'inline' | 'attachment', fileName: string): string {
  const fallback = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_');
  return contentDisposition(fileName, { type, fallback });
}
