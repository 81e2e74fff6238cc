import { type LocalFile, ObjectMissingError, type ObjectStore } from '@clearframe/runtime/storage';
import { InvalidImageError } from '../image/errors.js';

/**
 * A file that the run needs. Another attempt would not find it either.
 * @throws InvalidImageError `uploads.missing`
 */
export async function fetchInput(store: ObjectStore, key: string): Promise<LocalFile> {
  return store.fetch(key).catch((cause) => {
    throw cause instanceof ObjectMissingError ? new InvalidImageError('uploads.missing', { cause }) : cause;
  });
}
