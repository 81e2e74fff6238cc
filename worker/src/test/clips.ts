import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locatePackagedTools, locateVideoTools, type VideoTools } from '../video/locate.js';

const run = promisify(execFile);

/** The ffmpeg of this machine, or that of the npm packages. */
export async function videoTools(): Promise<VideoTools> {
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  return tools;
}

let readers: Promise<VideoTools> | undefined;

/** For reading what was written: the ffprobe of the npm packages starts in 10 ms, Debian's in 120. */
export function readingTools(): Promise<VideoTools> {
  readers ??= Promise.all([videoTools(), locatePackagedTools()]).then(([tools, packaged]) => ({
    ...tools,
    ffprobe: packaged?.ffprobe ?? tools.ffprobe,
  }));
  return readers;
}

const TESTSRC = ['-f', 'lavfi', '-i', 'testsrc2=size=128x72:rate=10:duration=1'];
const SINE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

const highDynamicRange = (transfer: string): readonly string[] => [
  ...[...TESTSRC, '-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
  ...['-x265-params', `log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`],
  ...['-color_trc', transfer, '-color_primaries', 'bt2020', '-colorspace', 'bt2020nc'],
];

const CLIPS = {
  plain: [...TESTSRC, ...SINE, ...H264, '-c:a', 'aac', '-shortest'],
  silent: [...TESTSRC, ...H264],
  noisy: [...TESTSRC, '-vf', 'noise=c0s=20:c0f=t', ...H264, '-crf', '15'],
  twoSounds: [...TESTSRC, ...SINE, ...SINE, '-map', '0', '-map', '1', '-map', '2', ...H264, '-c:a', 'aac'],
  lateSound: [...TESTSRC, '-itsoffset', '0.3', ...SINE, ...H264, '-c:a', 'aac'],
  pcm: [...TESTSRC, ...SINE, ...H264, '-c:a', 'pcm_s16le', '-f', 'mov'],
  variable: [...TESTSRC, '-vf', "select='not(mod(n,3))+gt(n,6)'", '-vsync', 'vfr', ...H264],
  odd: [...TESTSRC, '-vf', 'scale=127:71', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p'],
  oneFrame: [...TESTSRC, '-frames:v', '1', ...H264],
  hevc8: [
    ...[...TESTSRC, '-frames:v', '4', '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'],
    ...['-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
  ],
  hevc: [
    ...TESTSRC,
    ...SINE,
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=none',
    '-pix_fmt',
    'yuv420p10le',
    '-c:a',
    'aac',
    '-shortest',
    '-f',
    'mov',
  ],
  hdr: highDynamicRange('smpte2084'),
  hlg: highDynamicRange('arib-std-b67'),
  large: ['-f', 'lavfi', '-i', 'color=gray:size=4200x2400:rate=1:duration=1', '-c:v', 'mjpeg', '-f', 'mov'],
  largeH264: ['-f', 'lavfi', '-i', 'color=gray:size=4200x2400:rate=1:duration=1', ...H264],
  mjpeg: [...TESTSRC, '-frames:v', '4', '-c:v', 'mjpeg', '-f', 'mov'],
  wide: ['-f', 'lavfi', '-i', 'testsrc2=size=2400x100:rate=5:duration=0.4', ...H264],
  anamorphic: [...TESTSRC, '-vf', 'setsar=2/1', ...H264],
} as const;
export type ClipName = keyof typeof CLIPS;

const made = new Map<ClipName, Promise<string>>();
let folder: Promise<string> | undefined;

/** Path of a file of that kind; made once in a test process. */
export function clip(name: ClipName): Promise<string> {
  const known = made.get(name);
  if (known) return known;
  const making = make(name);
  made.set(name, making);
  return making;
}

async function make(name: ClipName): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'clearframe-clips-'));
  const path = join(await folder, `${name}.mp4`);
  await encode([...CLIPS[name]], path);
  return path;
}

/** A small face that moves, at a variable rate, with sound that begins later. */
export async function faceClip(): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'clearframe-clips-'));
  const path = join(await folder, 'face.mp4');
  const picture = new URL('../../test/fixtures/astronaut.jpg', import.meta.url).pathname;
  const moving = "scale=256:256,crop=224:192:t*20:0,select='not(mod(n,3))+gt(n,6)'";
  const pictures = ['-loop', '1', '-framerate', '25', '-t', '0.5', '-i', picture];
  const sound = ['-itsoffset', '0.2', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=0.4'];
  await encode([...pictures, ...sound, '-vf', moving, '-vsync', 'vfr', ...H264, '-c:a', 'aac'], path);
  return path;
}

/** Runs ffmpeg; the format is MP4 unless given. */
export async function encode(parameters: readonly string[], path: string): Promise<void> {
  const { ffmpeg } = await videoTools();
  const format = parameters.at(-2) === '-f' ? [] : ['-f', 'mp4'];
  await run(ffmpeg, ['-y', '-v', 'error', ...parameters, ...format, path]);
}

/** A file whose last sound track has a codec that ffmpeg doesn't know. */
export function withUnreadSound(bytes: Buffer): Buffer {
  const entry = bytes.lastIndexOf('mp4a');
  bytes.write('apac', entry, 'latin1');
  bytes.write('dapa', bytes.indexOf('esds', entry), 'latin1');
  return bytes;
}

/** A file whose picture players turn a quarter clockwise. */
export function turned(bytes: Buffer): Buffer {
  const matrix = bytes.indexOf('tkhd') + 44;
  [0, 0x10000, 0, -0x10000, 0, 0].forEach((value, at) => {
    bytes.writeInt32BE(value, matrix + 4 * at);
  });
  return bytes;
}

export async function removeClips(): Promise<void> {
  if (folder) await rm(await folder, { recursive: true, force: true });
  folder = undefined;
  made.clear();
}

/** Seconds at which frames are shown, or sound is played, ascending, as packets say. */
export async function packetTimes(path: string, streams: 'v:0' | 'a'): Promise<number[]> {
  const { ffprobe } = await readingTools();
  const entries = ['-select_streams', streams, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const { stdout } = await run(ffprobe, ['-v', 'error', ...entries, path]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number.parseFloat(line))
    .sort((a, b) => a - b);
}
