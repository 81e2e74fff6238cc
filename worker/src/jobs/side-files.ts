import { readFile } from 'node:fs/promises';
import {
  DEFAULT_JPEG_QUALITY,
  type EnhancedImage,
  type KeptPart,
  type KeptVariants,
  objectKeys,
  type RunIds,
} from '@clearframe/contract';
import { ObjectMissingError, type ObjectStore } from '@clearframe/runtime/storage';
import sharp from 'sharp';
import { canvasOf, encodeImage } from '../image/encode.js';
import type { Picture } from '../image/picture.js';
import type { Raster } from '../rasters/raster.js';
import { encodeChanges } from '../tools/pipeline/compose.js';
import type { KeptBytes } from '../tools/pipeline/kept-parts.js';
import type { EnhancedPicture } from './enhance-picture.js';

/** Reads the parts that a run can use. Missing ones are computed again. */
export async function readKept(
  store: ObjectStore,
  kept: readonly KeptPart[],
  { background, faces }: KeptVariants,
): Promise<KeptBytes[]> {
  const wanted = [background, faces].flatMap((name) => kept.find(({ variant }) => variant === name) ?? []);
  const parts = await Promise.all(
    wanted.map(async ({ variant, key }) => {
      try {
        const file = await store.fetch(key);
        const bytes = await readFile(file.path).finally(() => file.release());
        return [{ variant, bytes }];
      } catch (error) {
        if (error instanceof ObjectMissingError) return [];
        throw error;
      }
    }),
  );
  return parts.flat();
}

/** Stores what pages and later runs need besides the result: the base of thumbnails, the change map, kept parts. */
export async function storeSideFiles(
  store: ObjectStore,
  { subjectId, runId }: RunIds,
  { picture, base, changes, kept }: EnhancedPicture,
): Promise<Pick<EnhancedImage, 'baseKey' | 'changes' | 'kept'>> {
  const baseKey = objectKeys.base(subjectId, runId);
  const putBase = async () => {
    const small = { ...(await onWhite(base, picture)), metadata: picture.metadata };
    const order = { contentType: 'image/png', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
    const { icc } = picture.metadata;
    await store.put(baseKey, (await encodeImage(canvasOf(small), order, { icc, exif: null, xmp: null })).bytes);
  };
  const putChanges = async () => {
    if (!changes) return null;
    const key = objectKeys.changes(subjectId, runId);
    await store.put(key, ('bytes' in changes ? changes : await encodeChanges(changes)).bytes);
    return { key, width: changes.width, height: changes.height };
  };
  const putPart = async ({ variant, bytes }: KeptBytes, index: number) => {
    const key = objectKeys.kept(subjectId, runId, index);
    await store.put(key, bytes);
    return { variant, key };
  };
  const [storedChanges, parts] = await Promise.all([putChanges(), Promise.all(kept.map(putPart)), putBase()]);
  return { baseKey, changes: storedChanges, kept: parts };
}

/** Thumbnails are JPEGs: transparent parts become white, as in results. */
async function onWhite(
  { width, height, data }: Raster,
  { alpha, ...size }: Picture,
): Promise<Omit<Picture, 'metadata'>> {
  if (!alpha) return { width, height, rgb: data, alpha: null };
  const opacity = await sharp(alpha, { raw: { width: size.width, height: size.height, channels: 1 } })
    .resize(width, height, { fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const rgb = data.map((value, at) => 255 + ((value - 255) * (opacity[Math.floor(at / 3)] ?? 255)) / 255);
  return { width, height, rgb, alpha: null };
}
