import { S3Client } from '@aws-sdk/client-s3';
import { inMilliseconds } from '@clearframe/contract';
import { requireObjectKey } from '../object-store.js';
import type { S3Settings } from '../storage.config.js';

const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
const IDLE_TIMEOUT_MS = inMilliseconds.seconds(30);

export class Bucket {
  readonly name: string;
  readonly client: S3Client;

  /**
   * No optional checksums: services other than AWS reject them, and browsers would have to send them to signed URLs.
   * @param endpoint absent for AWS
   */
  constructor({ bucket, region, forcePathStyle }: S3Settings, endpoint: string | undefined) {
    this.name = bucket;
    this.client = new S3Client({
      region,
      endpoint,
      forcePathStyle,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
    });
  }

  object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: requireObjectKey(key) };
  }

  close(): void {
    this.client.destroy();
  }
}
