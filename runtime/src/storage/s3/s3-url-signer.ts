import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { inMilliseconds, inSeconds } from '@clearframe/contract';
import {
  contentDispositionOf,
  type ReadGrant,
  requireObjectKey,
  type SignedUpload,
  type UploadGrant,
} from '../object-store.js';
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

/** Signing times are rounded down to this, so that a polling page gets the same URL. */
const SIGNING_STEP_SECONDS = inSeconds.minutes(10);
const CHECKSUM_HEADER = 'x-amz-checksum-sha256';

/** Presigned URLs of a bucket, on the host that browsers use. */
export class S3UrlSigner {
  private readonly bucket: Bucket;

  constructor(settings: S3Settings) {
    this.bucket = new Bucket(settings, settings.publicEndpoint);
  }

  /**
   * S3 enforces the content type and, if given, size and checksum, but not `maxBytes`. `Content-Length` is signed but
   * not returned: browsers set it.
   */
  async forUpload({ key, contentType, sizeBytes, sha256, expiresInSeconds }: UploadGrant): Promise<SignedUpload> {
    const checksum = sha256 ? Buffer.from(sha256, 'hex').toString('base64') : undefined;
    const command = new PutObjectCommand({
      ...this.bucket.object(key),
      ContentType: contentType,
      ContentLength: sizeBytes ?? undefined,
      ChecksumSHA256: checksum,
    });
    const url = await getSignedUrl(this.bucket.client, command, {
      expiresIn: expiresInSeconds,
      signableHeaders: new Set(['host', 'content-type', 'content-length', CHECKSUM_HEADER]),
      unhoistableHeaders: new Set([CHECKSUM_HEADER]),
    });
    return { url, headers: { 'Content-Type': contentType, ...(checksum ? { [CHECKSUM_HEADER]: checksum } : {}) } };
  }

  /** `<img>` shows an attachment all the same, and a signed URL takes no parameter for a download. */
  forRead({ key, contentType, fileName, expiresInSeconds }: ReadGrant): Promise<string> {
    const stepMs = SIGNING_STEP_SECONDS * 1000;
    const command = new GetObjectCommand({
      ...this.bucket.object(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDispositionOf('attachment', fileName),
      ResponseCacheControl: 'private, max-age=3600',
    });
    return getSignedUrl(this.bucket.client, command, {
      signingDate: new Date(Math.floor(Date.now() / stepMs) * stepMs),
      expiresIn: expiresInSeconds + SIGNING_STEP_SECONDS,
    });
  }

  close(): void {
    this.bucket.close();
  }
}
