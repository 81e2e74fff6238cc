import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** Colors of {@link quadrants}, clockwise from the top left. */
export const CORNERS = {
  topLeft: [220, 40, 40],
  topRight: [40, 200, 40],
  bottomRight: [240, 240, 240],
  bottomLeft: [40, 40, 220],
} as const;

/** Four color fields reveal every rotation and reflection. */
export function quadrants(width = 64, height = 48): Sharp {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [left, right] =
        y < height / 2 ? [CORNERS.topLeft, CORNERS.topRight] : [CORNERS.bottomLeft, CORNERS.bottomRight];
      data.set(x < width / 2 ? left : right, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Detailed, so that a truncated file loses data. */
export function detailed(width = 320, height = 240): Sharp {
  const data = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let index = 0; index < data.length; index++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    data[index] = 128 + 60 * Math.sin(index / 977) + (state % 64) - 32;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** 16-bit samples too fine for 8 bits. */
export const deepSamples = (count: number): Uint16Array =>
  Uint16Array.from({ length: count }, (_, i) => (i * 7_919) % 65_536);

const folder = mkdtempSync(join(tmpdir(), 'clearframe-pictures-'));
let files = 0;
// All test files of a process share this module.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `picture-${files++}`);
  await writeFile(path, bytes);
  return path;
}

export function fieldsOf({ width, height, rgb }: { width: number; height: number; rgb: ArrayLike<number> }) {
  const at = (x: number, y: number): number[] => {
    const from = (Math.floor(y * height) * width + Math.floor(x * width)) * 3;
    return [rgb[from] ?? 0, rgb[from + 1] ?? 0, rgb[from + 2] ?? 0];
  };
  return {
    topLeft: at(0.25, 0.25),
    topRight: at(0.75, 0.25),
    bottomRight: at(0.75, 0.75),
    bottomLeft: at(0.25, 0.75),
  };
}

export function distance(
  a: ReturnType<typeof fieldsOf>,
  b: Record<keyof ReturnType<typeof fieldsOf>, readonly number[]>,
) {
  const keys = Object.keys(a) as (keyof typeof a)[];
  return Math.max(...keys.flatMap((key) => a[key].map((value, channel) => Math.abs(value - (b[key][channel] ?? 0)))));
}

/** 64 x 48, black and white halves, encoded by avifenc with `-y 400 -r limited`: sharp writes no monochrome AVIF. */
export const GRAY_NARROW_AVIF = readFileSync(new URL('../../test/fixtures/gray-narrow.avif', import.meta.url));

/** {@link quadrants} with an opacity of 0.6 by which its colors are multiplied, encoded by avifenc. */
export const PREMULTIPLIED_AVIF = readFileSync(new URL('../../test/fixtures/premultiplied.avif', import.meta.url));

/**
 * {@link quadrants} of 64 x 64 in HEVC, encoded by x265 and boxed by a script: no library here writes it. Its container
 * rotates it by 90 degrees counterclockwise.
 */
export const TURNED_HEIC = readFileSync(new URL('../../test/fixtures/turned.heic', import.meta.url));
