import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isSafeObjectKey } from '@clearframe/contract';

/** There is no object with this key. */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`there is no object ${key}`, options);
  }
}

/** Bytes of an object, both bounds included; without `end` to its end. Bytes past the end of the object are left out. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface StoredObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** An object as a read-only file of this machine. */
export interface LocalFile {
  readonly path: string;
  /** Deletes a temporary copy; call it once the file is no longer needed. */
  release(): Promise<void>;
}

/** A part of a multipart upload. Numbers start at 1; every part except the last has at least 5 MiB. */
export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

export interface UploadGrant {
  readonly key: string;
  readonly contentType: string;
  readonly maxBytes: number;
  /** Exact size, where it is known. A store may enforce it. */
  readonly sizeBytes?: number | null;
  /** SHA-256 of the bytes in hex, where it is known. A store may enforce it. */
  readonly sha256?: string | null;
  readonly expiresInSeconds: number;
}

/** Address for one PUT, and the headers it must carry. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReadGrant {
  readonly key: string;
  /** Content type of the response. */
  readonly contentType: string;
  /** File name of a download: any text. */
  readonly fileName: string;
  /** Least lifetime of the address. */
  readonly expiresInSeconds: number;
}

/**
 * Media by key; keys come from the contract's `objectKeys`. Writes are atomic and durable: a reader sees a whole object
 * or none, and an acknowledged write survives a power cut. All methods reject keys that are not safe.
 */
export abstract class ObjectStore {
  /** Stores an object, replacing an existing one. */
  abstract put(key: string, body: Uint8Array | Readable, contentType?: string): Promise<void>;

  /** Stores an object unless the key exists. Of concurrent writers exactly one gets true. */
  abstract putOnce(key: string, body: Uint8Array, contentType?: string): Promise<boolean>;

  /** @throws ObjectMissingError */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * Makes an object readable as a local file: a remote store downloads it.
   * @throws ObjectMissingError
   */
  abstract fetch(key: string): Promise<LocalFile>;

  /** Size in bytes, or null where there is no object. */
  abstract sizeOf(key: string): Promise<number | null>;

  /**
   * Copies an object of at most 5 GB, replacing the target.
   * @throws ObjectMissingError
   */
  abstract copy(from: string, to: string): Promise<void>;

  /**
   * Moves an object, replacing the target. Safe to repeat: once the source is gone, an existing target is the result.
   * @throws ObjectMissingError when neither exists
   */
  abstract move(from: string, to: string): Promise<void>;

  /** All objects below a prefix that ends in a slash, or in the whole store for the empty prefix; in no fixed order. */
  abstract list(prefix: string): AsyncIterable<StoredObject>;

  /** Deletes an object, or everything below a key that ends in a slash. Deleting nothing succeeds. */
  abstract delete(key: string): Promise<void>;

  /** Starts a multipart upload. Nothing is visible under the key before it is completed. @returns its id */
  abstract startMultipart(key: string, contentType?: string): Promise<string>;
  /** Uploads a part; the same number again replaces it. */
  abstract putPart(key: string, uploadId: string, partNumber: number, bytes: Uint8Array): Promise<UploadedPart>;
  /** Joins the parts in ascending order of their numbers. */
  abstract completeMultipart(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void>;
  abstract abortMultipart(key: string, uploadId: string): Promise<void>;

  /** @throws NotConfiguredError in a process that can't sign addresses */
  abstract signUpload(grant: UploadGrant): Promise<SignedUpload>;
  /**
   * Address of an object. The same grant gives the same address for some minutes, so that browsers can cache it.
   * @throws NotConfiguredError in a process that can't sign addresses
   */
  abstract signRead(grant: ReadGrant): Promise<string>;

  /** Rejects while the store can't be written. */
  abstract checkWritable(): Promise<void>;

  /** Deletes what interrupted writes of other processes have left. */
  abstract removeAbandoned(): Promise<void>;

  /** Closes connections. */
  abstract close(): Promise<void>;

  /** The first bytes of an object, at most `length`. @throws ObjectMissingError */
  async readStart(key: string, length: number): Promise<Buffer> {
    return buffer(await this.read(key, { start: 0, end: length - 1 }));
  }

  /** An object as JSON, or null where there is none. */
  async readJson(key: string): Promise<unknown> {
    try {
      return JSON.parse((await buffer(await this.read(key))).toString('utf8'));
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }
}

/** Keeps a stream that fails before it is read from ending the process; its reader gets the error later. */
export function holdErrors(body: Uint8Array | Readable): void {
  if (!(body instanceof Uint8Array)) body.on('error', () => undefined);
}

/** @throws for a key that is not the name of an object */
export function requireObjectKey(key: string): string {
  if (!isSafeObjectKey(key) || key.endsWith('/')) throw new Error('the object key is not safe');
  return key;
}

/** @throws for a prefix that is neither empty nor a safe key with a slash at its end */
export function requirePrefix(prefix: string): string {
  if (prefix !== '' && !(prefix.endsWith('/') && isSafeObjectKey(prefix))) throw new Error('the prefix is not safe');
  return prefix;
}
