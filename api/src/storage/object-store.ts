import type { Readable } from 'node:stream';

/** Where bytes are to be sent, and with which headers. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface UploadGrant {
  readonly key: string;
  readonly contentType: string;
  readonly maxBytes: number;
  readonly expiresInSeconds: number;
}

export interface ReadGrant {
  readonly key: string;
  readonly contentType: string;
  /** The name a download is saved under. Any text: it is encoded. */
  readonly fileName: string;
  readonly expiresInSeconds: number;
}

/**
 * Where media lies. Keys come from the contract's `objectKeys`. A store is exact about one thing: an object is there
 * whole or not at all.
 */
export abstract class ObjectStore {
  abstract signUpload(grant: UploadGrant): SignedUpload | Promise<SignedUpload>;
  abstract signRead(grant: ReadGrant): string | Promise<string>;
  /** Bytes of an object, or null where there is none. */
  abstract sizeOf(key: string): Promise<number | null>;
  /** The first bytes of an object, at most `length`. */
  abstract readStart(key: string, length: number): Promise<Buffer>;
  abstract open(key: string): Promise<Readable>;
  /** Renames; replaces what was there. */
  abstract move(from: string, to: string): Promise<void>;
  /** Deletes an object, or everything under a key that ends in a slash. Deleting nothing is fine. */
  abstract delete(key: string): Promise<void>;
  /** Rejects while the store can't be written. */
  abstract check(): Promise<void>;
}
