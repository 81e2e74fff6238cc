import { fileURLToPath } from 'node:url';
import { hasResult, inMilliseconds } from '@clearframe/contract';
import sharp, { type Region } from 'sharp';
import type { ApiClient } from '../support/api-client.ts';
import { until } from '../support/product/until.ts';

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
