import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { locateVideoTools } from '../../worker/dist/video/locate.js';
import { FOLDER, type Picture } from './sample-pictures.ts';

const run = promisify(execFile);

/** Twice the size of a tooltip's video, in pixels. */
const WIDTH = 400;
const HEIGHT = 248;
const SECONDS = 3;

/** Every browser plays H.264; `faststart` lets it begin before the end is there. */
const CODEC = ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '30', '-pix_fmt', 'yuv420p', '-an'];
const CONTAINER = ['-map_metadata', '-1', '-fflags', '+bitexact', '-movflags', '+faststart'];

/** The divider goes from side to side and back once, and the clip ends as it begins. */
const DIVIDER = `(${WIDTH}*(0.5-0.5*cos(2*PI*t/${SECONDS})))`;
const WIPE = `[0][1]overlay=x=${DIVIDER}[both];[both][2]overlay=x=${DIVIDER}-1`;
/** The second picture appears over the first, stays and goes. */
const FADE = '[1]format=yuva420p,fade=in:st=0.3:d=0.5:alpha=1,fade=out:st=2.2:d=0.5:alpha=1[over];[0][over]overlay';

const PIN = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><circle cx="200" cy="124" r="58" fill="#fff"/><g transform="translate(158 82) scale(3.5)" fill="none" stroke="#16181d" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="M20 10c0 6-8 12-8 12s-8-6-8-12a8 8 0 0 1 16 0Z"/><circle cx="12" cy="10" r="3"/></g></svg>`;

export interface ClipPictures {
  readonly portrait: Picture;
  /** A print with scratches and dust. */
  readonly scratched: Picture;
  /** A faded print. */
  readonly print: Picture;
  readonly coffee: Picture;
  readonly cat: Picture;
  /** What the networks altered in `portrait.after`. */
  readonly changes: Buffer;
}

/** `tool-NAME.mp4`: what each toggle of the editor does to a sample. */
export async function makeToolClips({ portrait, scratched, print, coffee, cat, changes }: ClipPictures): Promise<void> {
  const line = await sharp({ create: { width: 2, height: HEIGHT, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const wipe = async (name: string, { before, after }: Picture, top: number) =>
    makeClip(name, [await partOf(after, top), await partOf(before, top), line], WIPE);
  await wipe('faceEnhance', portrait, 0.3);
  await wipe('backgroundEnhance', coffee, 0.02);
  await wipe('repair', scratched, 0);
  await wipe('fade', print, 0);
  const changed = await sharp(portrait.after)
    .composite([{ input: await fittedTo(portrait.after, changes) }])
    .png()
    .toBuffer();
  await makeClip('changes', [await partOf(portrait.after, 0.3), await partOf(changed, 0.3)], FADE);
  await makeClip('keepLocation', [await partOf(cat.after, 0.2), Buffer.from(PIN)], FADE);
}

async function fittedTo(picture: Buffer, overlay: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  return sharp(overlay).resize(width, height, { fit: 'fill' }).png().toBuffer();
}

async function makeClip(name: string, pictures: readonly Buffer[], graph: string): Promise<void> {
  await inFolder(async (folder) => {
    const files = pictures.map((_, index) => join(folder, `${index}.png`));
    for (const [index, file] of files.entries()) await writeFile(file, await sharp(pictures[index]).png().toBuffer());
    const inputs = files.flatMap((file) => ['-loop', '1', '-framerate', '30', '-i', file]);
    const output = ['-t', `${SECONDS}`, ...CODEC, ...CONTAINER, `${FOLDER}tool-${name}.mp4`];
    await ffmpeg([...inputs, '-filter_complex', graph, ...output]);
  });
}

/** @param top of the part, as a fraction of the picture's height */
async function partOf(picture: Buffer, top: number): Promise<Buffer> {
  const whole = await sharp(picture).resize(WIDTH).toBuffer();
  const { height = 0 } = await sharp(whole).metadata();
  return sharp(whole)
    .extract({ left: 0, top: Math.round(height * top), width: WIDTH, height: HEIGHT })
    .png()
    .toBuffer();
}

export async function ffmpeg(args: readonly string[]): Promise<void> {
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  await run(tools.ffmpeg, ['-v', 'error', '-y', ...args]);
}

export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-clip-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
