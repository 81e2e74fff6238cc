import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigurationError, type Environment, readEnvironment } from '../config/index.js';

const URL_RULE = { error: 'is not an absolute http:// or https:// URL', protocol: /^https?$/ };

const schema = z.object({
  STORAGE_DRIVER: z.enum(['disk', 's3'], { error: "must be 'disk' or 's3'" }).default('disk'),
  CLEARFRAME_DATA: z.string().default('.data'),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ENDPOINT: z.url(URL_RULE).optional(),
  S3_PUBLIC_ENDPOINT: z.url(URL_RULE).optional(),
  S3_FORCE_PATH_STYLE: z.stringbool({ error: "must be 'true' or 'false'" }).default(false),
});

/** From `CLEARFRAME_DATA`. */
export interface DiskSettings {
  readonly driver: 'disk';
  /** Absolute path of the folder of all objects, shared by `api` and `worker`. */
  readonly root: string;
}

/** Credentials come from the SDK's default chain: environment, files, container or instance role. */
export interface S3Settings {
  readonly driver: 's3';
  readonly bucket: string;
  readonly region: string;
  /** Absent for AWS. */
  readonly endpoint: string | undefined;
  /** Endpoint in signed URLs, where browsers reach the service by another one. */
  readonly publicEndpoint: string | undefined;
  /** The bucket is in the path instead of the host name. */
  readonly forcePathStyle: boolean;
}

/** From `STORAGE_DRIVER`: `disk` or `s3`. */
export class StorageConfig {
  constructor(readonly settings: DiskSettings | S3Settings) {}

  static fromEnvironment(environment: Environment): StorageConfig {
    const env = readEnvironment(schema, environment);
    if (env.STORAGE_DRIVER === 'disk') {
      return new StorageConfig({ driver: 'disk', root: join(resolve(env.CLEARFRAME_DATA), 'media') });
    }
    if (!env.S3_BUCKET) throw new ConfigurationError('S3_BUCKET: is missing, STORAGE_DRIVER=s3 needs it');
    return new StorageConfig({
      driver: 's3',
      bucket: env.S3_BUCKET,
      region: env.S3_REGION,
      endpoint: env.S3_ENDPOINT,
      publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
      forcePathStyle: env.S3_FORCE_PATH_STYLE,
    });
  }
}
