import { join, resolve } from 'node:path';
import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  STORAGE_DRIVER: z.enum(['disk']).default('disk'),
  CLEARFRAME_DATA: z.string().default('.data'),
  CLEARFRAME_SIGNING_SECRET: secret(),
});

/** Which store, and where. */
export class StorageConfig {
  private constructor(
    /** Root folder of the disk store; the worker reads and writes the same one. */
    readonly diskRoot: string,
    /** Signs the disk store's addresses. */
    readonly signingSecret: string,
  ) {}

  static fromEnvironment(environment: Environment): StorageConfig {
    const env = readEnvironment(schema, environment);
    return new StorageConfig(join(resolve(env.CLEARFRAME_DATA), 'media'), env.CLEARFRAME_SIGNING_SECRET);
  }
}
