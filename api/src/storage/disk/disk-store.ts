import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { inMilliseconds, inSeconds, isSafeObjectKey } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app.config.js';
import { ObjectStore, type ReadGrant, type SignedUpload, type UploadGrant } from '../object-store.js';
import { StorageConfig } from '../storage.config.js';
import { signQuery } from './signed-url.js';

/** Addresses for reading are rounded up to this, so that a page that polls sees the same address and the browser its cache. */
const READ_EXPIRY_STEP_SECONDS = inSeconds.minutes(10);
/** A temporary file this old belongs to an upload that died with its process. */
const ABANDONED_AFTER_MS = inMilliseconds.hours(1);
const TEMPORARY = 'tmp';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Media in a folder, served by `api` itself under `/media`. */
@Injectable()
export class DiskStore extends ObjectStore {
  constructor(
    private readonly config: StorageConfig,
    private readonly app: AppConfig,
  ) {
    super();
  }

  /** The folder that all keys are below. */
  get root(): string {
    return this.config.diskRoot;
  }

  /** The file behind a key. Keys that could leave the folder do not exist. */
  pathOf(key: string): string {
    if (!isSafeObjectKey(key)) throw new Error('unsafe object key');
    return join(this.config.diskRoot, key);
  }

  override signUpload({ key, contentType, maxBytes, expiresInSeconds }: UploadGrant): SignedUpload {
    const claims = { expires: String(nowInSeconds() + expiresInSeconds), max: String(maxBytes) };
    return {
      url: this.addressOf('PUT', key, claims),
      headers: { 'Content-Type': contentType },
    };
  }

  override signRead({ key, contentType, fileName, expiresInSeconds }: ReadGrant): string {
    const expires =
      Math.ceil((nowInSeconds() + expiresInSeconds) / READ_EXPIRY_STEP_SECONDS) * READ_EXPIRY_STEP_SECONDS;
    return this.addressOf('GET', key, { expires: String(expires), type: contentType, name: fileName });
  }

  override async sizeOf(key: string): Promise<number | null> {
    try {
      return (await stat(this.pathOf(key))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  override async readStart(key: string, length: number): Promise<Buffer> {
    const file = await open(this.pathOf(key));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  override async open(key: string): Promise<Readable> {
    await access(this.pathOf(key));
    return createReadStream(this.pathOf(key));
  }

  /** Writes a stream under a key: to a temporary file first, then by renaming, so that no half of it is ever seen. */
  async write(key: string, source: (sink: NodeJS.WritableStream) => Promise<void>): Promise<void> {
    const target = this.pathOf(key);
    const temporary = join(this.config.diskRoot, TEMPORARY, randomUUID());
    await mkdir(dirname(temporary), { recursive: true });
    await mkdir(dirname(target), { recursive: true });
    try {
      // `flush` waits for the disk: bytes that were acknowledged survive a power cut.
      await source(createWriteStream(temporary, { flags: 'wx', flush: true }));
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  override async move(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.pathOf(to)), { recursive: true });
    await rename(this.pathOf(from), this.pathOf(to));
  }

  override async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { recursive: true, force: true });
  }

  override async check(): Promise<void> {
    await mkdir(this.config.diskRoot, { recursive: true });
    await access(this.config.diskRoot, constants.R_OK | constants.W_OK);
  }

  /** Removes what uploads that died in the middle have left. */
  async removeAbandoned(): Promise<void> {
    const folder = join(this.config.diskRoot, TEMPORARY);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const path = join(folder, name);
      const modified = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (Date.now() - modified > ABANDONED_AFTER_MS) await rm(path, { force: true });
    }
  }

  private addressOf(method: string, key: string, claims: Readonly<Record<string, string>>): string {
    const query = signQuery(this.config.signingSecret, method, key, claims);
    return `${this.app.publicUrl}/media/${key}?${query}`;
  }
}
