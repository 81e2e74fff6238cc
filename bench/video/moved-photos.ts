import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { type BenchWork, H264 } from './bench-work.ts';

const FIXTURES = fileURLToPath(new URL('../../worker/test/fixtures/', import.meta.url));
const PHOTOS = ['astronaut.jpg', 'chelsea.jpg', 'coffee.jpg'] as const;
const FRAMES = 40;
/** Sides of the frames are cut this many times as large, then reduced: motion by halves of a pixel from sharp pictures. */
const FINE = 2;
/** Margin around the view in pixels of a frame, for the motion. */
const MARGIN = 24;
/** A hand that holds a camera: a drift, a sway and a tremor in pixels of a frame, and a slight turn. */
const HAND = {
  x: '12*sin(n/19)+5*sin(n/5.3)+1.5*sin(n/1.7)',
  y: '9*sin(n/23+1)+4*sin(n/6.1)+1.2*sin(n/1.9)',
  turn: '0.006*sin(n/14)',
} as const;

export interface MovedPhoto {
  readonly name: string;
  /** An MP4 file, nearly without loss. */
  readonly path: string;
}

/** @param folder of JPEG files; without one the fixtures', in smaller frames */
export async function movePhotos(work: BenchWork, folder: string | undefined): Promise<MovedPhoto[]> {
  const names = folder ? (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort() : PHOTOS;
  const moved: MovedPhoto[] = [];
  for (const name of names) {
    moved.push(await move(work, join(folder ?? FIXTURES, name), parse(name).name, folder ? [640, 360] : [384, 216]));
  }
  return moved;
}

/** A row of portraits, so small that their faces have some 24 pixels. */
export async function moveSmallFaces(work: BenchWork): Promise<MovedPhoto> {
  const portrait = await sharp(join(FIXTURES, 'astronaut.jpg')).resize(360).toBuffer();
  const mirrored = await sharp(portrait).flop().toBuffer();
  const tiles = [...Array(10).keys()].map((at) => ({
    input: at % 2 ? mirrored : portrait,
    left: (at % 5) * 360,
    top: Math.floor(at / 5) * 360,
  }));
  const path = work.file('small-faces.png');
  await sharp({ create: { width: 5 * 360, height: 2 * 360, channels: 3, background: 'black' } })
    .composite(tiles)
    .toFile(path);
  return move(work, path, 'small faces', [640, 360]);
}

async function move(
  work: BenchWork,
  photo: string,
  name: string,
  [width, height]: [number, number],
): Promise<MovedPhoto> {
  const path = work.file(`moved-${name}.mp4`.replaceAll(' ', '-'));
  const [outerWidth, outerHeight] = [FINE * (width + 2 * MARGIN), FINE * (height + 2 * MARGIN)];
  const filters = [
    `scale=${outerWidth}:${outerHeight}:force_original_aspect_ratio=increase:flags=lanczos,crop=${outerWidth}:${outerHeight}`,
    // Decoded and scaled once, then repeated.
    `format=yuv444p,loop=${FRAMES}:1`,
    `rotate=${HAND.turn}`,
    `crop=${FINE * width}:${FINE * height}:x=${FINE}*(${MARGIN}+${HAND.x}):y=${FINE}*(${MARGIN}+${HAND.y})`,
    `scale=${width}:${height}:flags=area:out_color_matrix=bt709:out_range=tv`,
    'format=yuv420p',
  ];
  const input = ['-framerate', '25', '-i', photo, '-frames:v', String(FRAMES)];
  await work.ffmpeg(...input, '-vf', filters.join(','), ...H264, '-colorspace', 'bt709', '-crf', '4', path);
  return { name, path };
}
