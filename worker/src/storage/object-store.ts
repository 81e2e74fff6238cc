import { NotConfiguredError } from '@clearframe/runtime/config';

/** There is no object under this key. */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(readonly key: string) {
    super(`there is no object ${key}`);
  }
}

/** An object that can be read as a file of this machine. Nobody may write to it. */
export interface LocalFile {
  readonly path: string;
  /** Throws a copy away that was made for us; call it when the file is no longer needed. */
  release(): Promise<void>;
}

/**
 * Where pictures are kept, by key (see `objectKeys` of the contract). Writes are atomic: nobody ever sees half an
 * object, and an object that is there survives a power cut.
 */
export abstract class ObjectStore {
  /**
   * Makes an object readable as a local file. A remote store downloads it to a temporary one; a local store answers
   * with the object itself.
   * @throws ObjectMissingError
   */
  abstract fetch(key: string): Promise<LocalFile>;

  /** Stores an object, over one that may be there. */
  abstract put(key: string, bytes: Uint8Array): Promise<void>;

  /** Stores an object where there is none yet. Of several writers exactly one succeeds; the others get false. */
  abstract putOnce(key: string, bytes: Uint8Array): Promise<boolean>;

  /** The object as JSON, or null where there is none. */
  abstract readJson(key: string): Promise<unknown>;

  /** Rejects when nothing can be written right now. */
  abstract checkWritable(): Promise<void>;
}

/** Stands where no store was configured. */
export class UnconfiguredObjectStore extends ObjectStore {
  override readonly fetch = refuse;
  override readonly put = refuse;
  override readonly putOnce = refuse;
  override readonly readJson = refuse;
  override readonly checkWritable = refuse;
}

const refuse = (): Promise<never> => Promise.reject(new NotConfiguredError('object storage'));
