import { S3Client } from '@aws-sdk/client-s3';
import { inMilliseconds } from '@clearframe/contract';
import type { S3Settings } from '../storage.config.js';

const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
/** Of a connection. */
const IDLE_TIMEOUT_MS = inMilliseconds.seconds(30);

/**
 * Optional checksums are off: services other than AWS reject them, and browsers would have to send them to signed URLs.
 * @param endpoint absent for AWS
 */
export const createClient = (settings: S3Settings, endpoint = settings.endpoint): S3Client =>
  new S3Client({
    region: settings.region,
    endpoint,
    forcePathStyle: settings.forcePathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: IDLE_TIMEOUT_MS },
  });
