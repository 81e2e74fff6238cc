import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { locateVideoTools } from '../../worker/dist/video/ffmpeg/locate.js';
import { FOLDER } from './sample-pictures.ts';

const run = promisify(execFile);

/** Twice the size of a tooltip's video, in pixels. */
const WIDTH = 400;
const HEIGHT = 248;
const SECONDS = 3;
/** The divider goes from side to side and back once, and the film ends as it begins. */
const DIVIDER = `(${WIDTH}*(0.5-0.5*cos(2*PI*t/${SECONDS})))`;

/** `face.webm`: before, and the result that a divider uncovers. */
export async function makeFaceFilm(before: Buffer, after: Buffer): Promise<void> {
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-film-'));
  try {
    const line = sharp({ create: { width: 2, height: HEIGHT, channels: 3, background: '#fff' } });
    const pictures = [await faceIn(after), await faceIn(before), await line.png().toBuffer()];
    const files = pictures.map((_, index) => join(folder, `${index}.png`));
    for (const [index, file] of files.entries()) await writeFile(file, pictures[index] ?? '');
    const inputs = files.flatMap((file) => ['-loop', '1', '-framerate', '30', '-i', file]);
    const graph = `[0][1]overlay=x=${DIVIDER}[both];[both][2]overlay=x=${DIVIDER}-1`;
    const codec = ['-c:v', 'libvpx-vp9', '-crf', '34', '-b:v', '0', '-pix_fmt', 'yuv420p', '-an'];
    const output = ['-t', `${SECONDS}`, ...codec, `${FOLDER}face.webm`];
    await run(tools.ffmpeg, ['-v', 'error', '-y', ...inputs, '-filter_complex', graph, ...output]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function faceIn(picture: Buffer): Promise<Buffer> {
  const whole = await sharp(picture).resize(WIDTH).toBuffer();
  const { height = 0 } = await sharp(whole).metadata();
  return sharp(whole)
    .extract({ left: 0, top: Math.round(height * 0.3), width: WIDTH, height: HEIGHT })
    .png()
    .toBuffer();
}
