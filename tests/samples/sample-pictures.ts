import { fileURLToPath } from 'node:url';
import { hasResult, inMilliseconds } from '@clearframe/contract';
import sharp, { type Region } from 'sharp';
import { Sessions } from '../../worker/dist/networks/sessions.js';
import type { Raster } from '../../worker/dist/rasters/raster.js';
import { DAMAGE_KINDS, damaged } from '../../worker/dist/test/damages.js';
import { faded } from '../../worker/dist/test/fades.js';
import { repairDamage } from '../../worker/dist/tools/repair/repair-damage.js';
import type { ApiClient } from '../support/api-client.ts';
import { until } from '../support/product/until.ts';

export interface Picture {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Served by `web`. */
export const FOLDER = fileURLToPath(new URL('../../web/public/samples/', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../worker/test/fixtures/', import.meta.url));

/** A result on a busy machine. */
export const TIMEOUT_MS = inMilliseconds.minutes(10);

export const RESULT_QUALITY = { avif: 56, jpeg: 82 } as const;

/** Width of before and after, in pixels. */
const WIDTH = 800;
const HEIGHT = 1000;

export interface Sample {
  readonly name: string;
  readonly source: string;
  readonly crop: Region;
  /** Standard deviation of the Gaussian, in pixels of the crop. */
  readonly blur: number;
  /** Width of the degraded crop, in pixels. */
  readonly width: number;
  readonly jpegQuality: number;
}

export const SAMPLES: readonly Sample[] = [
  {
    name: 'astronaut',
    source: 'astronaut-head.png',
    crop: { left: 0, top: 0, width: 180, height: 225 },
    blur: 1,
    width: 180,
    jpegQuality: 60,
  },
  {
    name: 'chelsea',
    source: 'chelsea.jpg',
    crop: { left: 104, top: 0, width: 240, height: 300 },
    blur: 1.2,
    width: 200,
    jpegQuality: 70,
  },
  {
    name: 'coffee',
    source: 'coffee.jpg',
    crop: { left: 150, top: 20, width: 288, height: 360 },
    blur: 1.4,
    width: 220,
    jpegQuality: 70,
  },
];

/** A JPEG of a picture as a yellowed print. */
export async function yellowed(picture: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const print = faded({ width: info.width, height: info.height, data }, 'uneven');
  const raw = { width: print.width, height: print.height, channels: 3 } as const;
  return sharp(print.data, { raw }).jpeg({ quality: 95 }).toBuffer();
}

/** A picture as a print in black and white with scratches, dust, hairs, cracks, a fold and spots, and as the worker repairs it: its tool is behind a flag. */
export async function repairedPrint(picture: Buffer): Promise<Picture> {
  const { data, info } = await sharp(picture).grayscale().raw().toBuffer({ resolveWithObject: true });
  const gray = {
    width: info.width,
    height: info.height,
    data: Uint8Array.from([...data].flatMap((level) => [level, level, level])),
  };
  const { picture: print } = await damaged(gray, DAMAGE_KINDS, 4);
  const context = { sessions: await Sessions.open({}), signal: new AbortController().signal };
  const { picture: repaired } = await repairDamage(context, print, { model: 'v1' });
  const encoded = ({ width, height, data: pixels }: Raster) =>
    sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
  return { before: await encoded(print), after: await encoded(repaired) };
}

export async function degrade({ source, crop, blur, width, jpegQuality }: Sample): Promise<Buffer> {
  const cut = await sharp(`${SOURCES}${source}`).extract(crop).toBuffer();
  const small = await sharp(cut).blur(blur).resize(width).jpeg({ quality: jpegQuality }).toBuffer();
  return sharp(small).resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
}

type Recipe = Awaited<ReturnType<ApiClient['task']>>['result']['outputs'][number]['recipe'];

/** The newest result, without a watermark for those who pay. */
export async function enhance(
  account: ApiClient,
  picture: Buffer,
  pipeline?: Parameters<ApiClient['enhance']>[2],
): Promise<{ readonly picture: Buffer; readonly recipe: Recipe; readonly changes: Buffer | null }> {
  const taskId = await account.submit(picture, undefined, pipeline);
  const finished = async () => {
    const task = await account.task(taskId);
    return hasResult(task.status) ? task : null;
  };
  const { result } = await until('the picture has a result', finished, { deadlineMs: TIMEOUT_MS });
  const [output] = result.outputs;
  if (!output?.url) throw new Error('no result');
  const { url, recipe, changes } = output;
  const bytesAt = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer());
  return { picture: await bytesAt(url), recipe, changes: changes && (await bytesAt(changes.url)) };
}
