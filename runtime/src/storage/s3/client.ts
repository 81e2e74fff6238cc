import { S3Client } from '@aws-sdk/client-s3';
import { inMilliseconds } from '@clearframe/contract';
import type { S3Settings } from '../storage.config.js';

const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
/** Longest silence on a connection. */
const IDLE_TIMEOUT_MS = inMilliseconds.seconds(30);

/**
 * A client with the SDK's default chain of credentials. Optional checksums are off: services other than AWS reject them,
 * and a signed address would oblige browsers to send them.
 * @param endpoint address of the service; absent for AWS
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
