import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TILE_OVERLAP, TILE_SIZE, tileBoxOf, tileLevelsOf } from '@clearframe/contract';
import { attachToJpeg, attachToWebp } from './attach-metadata.js';
import type { Canvas, EncodedFile } from './encode.js';
import { LIBVIPS_TIMEOUT_SECONDS } from './libvips.js';

/** As that of display files, which tiles replace on the screen. */
const QUALITY = 88;
const WEBP_EFFORT = 2;
/** Every tile has the profile. Larger ones are tables of scanners and printers, of up to megabytes. */
const MAX_PROFILE_BYTES = 65_000;
const OFFSET_BYTES = 4;

/**
 * Tiles of a large picture as one file; see `tiles` of `DownloadSpec`. libvips reads the picture once and holds a few rows of
 * each size: 24 megapixels take 0.9 s and 100 take 2.8 s, in 160 MB of the process, where cutting one tile from a PNG of 24
 * takes 0.5 s, since it has to be decoded up to the tile.
 */
export async function encodeTiles(
  { image, width, height, hasAlpha }: Canvas,
  icc: Buffer | null,
  folder: string,
  signal: AbortSignal,
): Promise<EncodedFile> {
  const flat = image.toColourspace('srgb').timeout({ seconds: LIBVIPS_TIMEOUT_SECONDS });
  const encoder = hasAlpha ? flat.webp({ quality: QUALITY, effort: WEBP_EFFORT }) : flat.jpeg({ quality: QUALITY });
  const tile = { size: TILE_SIZE, overlap: TILE_OVERLAP, depth: 'onepixel', layout: 'dz' } as const;
  const extension = hasAlpha ? 'webp' : 'jpeg';
  await encoder.tile(tile).toFile(join(folder, 'tiles.dz'));
  const written = join(folder, 'tiles_files');
  const levels = tileLevelsOf({ width, height });
  const profile = icc && icc.length <= MAX_PROFILE_BYTES ? icc : null;
  const path = join(folder, 'tiles.bin');
  const ends: number[] = [];
  const headBytes = levels.reduce((count, { columns, rows }) => count + columns * rows, 1) * OFFSET_BYTES;
  for (const level of levels) {
    for (let row = 0; row < level.rows; row++) {
      signal.throwIfAborted();
      for (let column = 0; column < level.columns; column++) {
        const plain = await readFile(join(written, String(level.level), `${column}_${row}.${extension}`));
        const size = tileBoxOf(level, { column, row });
        const bytes = hasAlpha
          ? attachToWebp(plain, profile, size)
          : attachToJpeg(plain, { icc: profile, exif: null, xmp: null }, size);
        await appendFile(path, bytes);
        ends.push((ends.at(-1) ?? headBytes) + bytes.length);
      }
    }
  }
  const head = Buffer.from(Uint32Array.of(headBytes, ...ends).buffer);
  const contentType = hasAlpha ? 'image/webp' : 'image/jpeg';
  return { path, head, skipped: 0, sizeBytes: ends.at(-1) ?? headBytes, contentType, width, height };
}
