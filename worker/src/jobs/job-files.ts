import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  type DownloadSpec,
  type enhanceImage,
  type JobPayload,
  objectKeys,
  type RenderedImage,
  type RunIds,
  type StoredImage,
} from '@clearframe/contract';
import { type LocalFile, ObjectMissingError, type ObjectStore } from '@clearframe/runtime/storage';
import type { ProbedPicture } from '../decoder/decoder.js';
import type { EncodedDisplay } from '../image/display.js';
import type { EncodedFile, EncodedImage } from '../image/encode.js';
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

/**
 * The mask of a picture of this size.
 * @throws InvalidImageError `masks.size_mismatch`, `uploads.missing`
 */
export async function fetchMask(
  store: ObjectStore,
  { key, ...size }: NonNullable<JobPayload<typeof enhanceImage>['mask']>,
  { width, height }: Pick<ProbedPicture, 'width' | 'height'>,
): Promise<LocalFile> {
  if (size.width !== width || size.height !== height) throw new InvalidImageError('masks.size_mismatch');
  return fetchInput(store, key);
}

export async function storeImage(
  store: ObjectStore,
  key: string,
  image: EncodedImage | EncodedFile,
): Promise<StoredImage> {
  const { contentType, width, height } = image;
  await store.put(key, 'bytes' in image ? image.bytes : Readable.from(contentOf(image)));
  return { key, contentType, width, height, sizeBytes: 'bytes' in image ? image.bytes.length : image.sizeBytes };
}

async function* contentOf({ path, head, skipped }: EncodedFile): AsyncGenerator<Uint8Array> {
  yield head;
  yield* createReadStream(path, { start: skipped });
}

export async function storeRendition(
  store: ObjectStore,
  { subjectId, runId }: RunIds,
  name: string,
  image: EncodedImage | EncodedFile,
): Promise<StoredImage> {
  return storeImage(store, objectKeys.rendition(subjectId, runId, name, image.contentType), image);
}

export async function storeDisplay(
  store: ObjectStore,
  ids: RunIds,
  { display, medium, thumbnail }: EncodedDisplay,
  { watermark }: Pick<DownloadSpec, 'watermark'>,
): Promise<RenderedImage> {
  const [large, middle, small] = await Promise.all([
    storeRendition(store, ids, 'display', display),
    storeRendition(store, ids, 'medium', medium),
    storeRendition(store, ids, 'thumbnail', thumbnail),
  ]);
  return { ...large, hasWatermark: watermark, medium: middle, thumbnail: small };
}
