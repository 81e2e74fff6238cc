import { join, resolve } from 'node:path';
import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  STORAGE_DRIVER: z.literal('disk', { error: "must be 'disk'" }).default('disk'),
  CLEARFRAME_DATA: z.string().optional(),
});

/** Where the bytes of pictures are kept. */
export class StorageConfig {
  /** @param mediaFolder absolute path of the disk store's root, shared with `api`; null where nobody named one */
  constructor(readonly mediaFolder: string | null) {}

  static fromEnvironment(environment: Environment): StorageConfig {
    const { CLEARFRAME_DATA: folder } = readEnvironment(schema, environment);
    return new StorageConfig(folder === undefined ? null : join(resolve(folder), 'media'));
  }
}
