import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { hasRunningOwner, OWN_FILES } from '../../process/owned-files.js';
import { namingFullDisk } from '../disk-full.js';
import {
  type ByteRange,
  deferStreamErrors,
  type LocalFile,
  ObjectMissingError,
  ObjectStore,
  type ReadGrant,
  requireObjectKey,
  requirePrefix,
  type SignedUpload,
  type StoredObject,
  type UploadGrant,
} from '../object-store.js';
import type { S3Settings } from '../storage.config.js';
import { Bucket, S3UrlSigner } from './s3-url-signer.js';

const PREFIX = 'clearframe-object-';

/** A temporary copy, readable by this user only. @throws errors of the source */
export async function download(source: Readable): Promise<LocalFile> {
  const path = join(tmpdir(), `${PREFIX}${OWN_FILES}${randomUUID()}`);
  const release = () => rm(path, { force: true });
  try {
    await namingFullDisk(tmpdir(), () => pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
  } catch (error) {
    await release();
    throw error;
  }
  return { path, release };
}

/** Deletes copies that processes left behind when they were killed. */
export async function removeAbandonedDownloads(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || hasRunningOwner(name.slice(PREFIX.length))) continue;
    await rm(join(tmpdir(), name), { force: true });
  }
}

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** A missing bucket also has status 404; that is not meant. */
const isMissing = (error: unknown): boolean =>
  hasStatus(error, 404) && error instanceof Error && error.name !== 'NoSuchBucket';

const isPreconditionFailed = (error: unknown): boolean => hasStatus(error, 412);

/** Another conditional write to the key is in progress. */
const isConflict = (error: unknown): boolean => hasStatus(error, 409);

const isInvalidRange = (error: unknown): boolean => hasStatus(error, 416);

/** Written once per process to verify write access. */
const WRITE_CHECK_KEY = 'health/write-check';
const SHA256_BYTES = 32;
/** S3 responds 409 during another conditional write to the key. */
const CONDITIONAL_WRITE_ATTEMPTS = 5;

/** Objects in S3 or a compatible service. */
export class S3Store extends ObjectStore {
  private readonly bucket: Bucket;
  private readonly urls: S3UrlSigner;
  private hasWritten = false;

  constructor(settings: S3Settings) {
    super();
    this.bucket = new Bucket(settings, settings.endpoint);
    this.urls = new S3UrlSigner(settings);
  }

  override async put(key: string, body: Uint8Array | Readable, contentType?: string): Promise<void> {
    deferStreamErrors(body);
    const object = { ...this.bucket.object(key), Body: body, ContentType: contentType };
    if (body instanceof Uint8Array) await this.bucket.client.send(new PutObjectCommand(object));
    // In parts, or as one PUT if short.
    else await new Upload({ client: this.bucket.client, params: object }).done();
  }

  override async putOnce(key: string, body: Uint8Array, contentType?: string): Promise<boolean> {
    const object = { ...this.bucket.object(key), Body: body, ContentType: contentType, IfNoneMatch: '*' };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.bucket.client.send(new PutObjectCommand(object));
        return true;
      } catch (error) {
        if (isPreconditionFailed(error)) return false;
        if (!isConflict(error) || attempt === CONDITIONAL_WRITE_ATTEMPTS) throw error;
      }
    }
  }

  override async read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
    try {
      const { Body } = await this.bucket.client.send(new GetObjectCommand({ ...this.bucket.object(key), Range }));
      if (!(Body instanceof Readable)) throw new Error('the response has no body');
      return Body;
    } catch (error) {
      if (isMissing(error)) throw new ObjectMissingError(key, { cause: error });
      // The range starts at or past the end.
      if (isInvalidRange(error)) return Readable.from([]);
      throw error;
    }
  }

  override async fetch(key: string): Promise<LocalFile> {
    return download(await this.read(key));
  }

  override async sizeOf(key: string): Promise<number | null> {
    try {
      return (await this.bucket.client.send(new HeadObjectCommand(this.bucket.object(key)))).ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** S3 knows the checksum of an upload that declared it. */
  override async sha256Of(key: string): Promise<string> {
    const { ChecksumSHA256, ChecksumType } = await this.bucket.client
      .send(new HeadObjectCommand({ ...this.bucket.object(key), ChecksumMode: 'ENABLED' }))
      .catch((error) => {
        throw isMissing(error) ? new ObjectMissingError(key, { cause: error }) : error;
      });
    const known = Buffer.from(ChecksumSHA256 ?? '', 'base64');
    // The checksum of a multipart upload covers the checksums of its parts.
    return known.length === SHA256_BYTES && ChecksumType !== 'COMPOSITE' ? known.toString('hex') : super.sha256Of(key);
  }

  override async copy(from: string, to: string): Promise<void> {
    const CopySource = `${this.bucket.name}/${requireObjectKey(from)}`;
    await this.bucket.client.send(new CopyObjectCommand({ ...this.bucket.object(to), CopySource })).catch((error) => {
      throw isMissing(error) ? new ObjectMissingError(from, { cause: error }) : error;
    });
  }

  protected override async moveObject(from: string, to: string): Promise<void> {
    await this.copy(from, to);
    await this.delete(from);
  }

  override async *list(prefix: string): AsyncGenerator<StoredObject> {
    const request = { Bucket: this.bucket.name, Prefix: requirePrefix(prefix) };
    for await (const { Contents } of paginateListObjectsV2({ client: this.bucket.client }, request)) {
      for (const { Key, Size, LastModified } of Contents ?? [])
        if (Key) yield { key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
    }
  }

  override async delete(key: string): Promise<void> {
    if (!key.endsWith('/')) {
      await this.bucket.client.send(new DeleteObjectCommand(this.bucket.object(key)));
      return;
    }
    const request = { Bucket: this.bucket.name, Prefix: requirePrefix(key) };
    // A page has at most 1000 keys, the limit of one delete request.
    for await (const { Contents } of paginateListObjectsV2({ client: this.bucket.client }, request)) {
      const Objects = (Contents ?? []).map(({ Key }) => ({ Key }));
      if (Objects.length === 0) continue;
      const { Errors } = await this.bucket.client.send(
        new DeleteObjectsCommand({ Bucket: this.bucket.name, Delete: { Objects, Quiet: true } }),
      );
      if (Errors?.[0]) throw new Error(`objects could not be deleted: ${Errors[0].Code}`);
    }
  }

  override signUpload(grant: UploadGrant): Promise<SignedUpload> {
    return this.urls.forUpload(grant);
  }

  override signRead(grant: ReadGrant): Promise<string> {
    return this.urls.forRead(grant);
  }

  /** Writes once, so that a missing permission fails the boot; then queries the bucket. */
  override async checkWritable(): Promise<void> {
    if (this.hasWritten) {
      await this.bucket.client.send(new HeadBucketCommand({ Bucket: this.bucket.name }));
      return;
    }
    await this.put(WRITE_CHECK_KEY, new Uint8Array());
    this.hasWritten = true;
  }

  /** A lifecycle rule of the bucket aborts multipart uploads. */
  override removeAbandoned(): Promise<void> {
    return removeAbandonedDownloads();
  }

  override async close(): Promise<void> {
    this.bucket.close();
    this.urls.close();
  }
}
