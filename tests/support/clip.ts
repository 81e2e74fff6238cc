import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateVideoTools } from '../../worker/dist/video/locate.js';

const run = promisify(execFile);

/** @param grain of each frame, in levels of 255; with it, enhancing the background takes far longer than playing */
export async function createClip({ seconds = 2, size = '320x180', grain = 0 } = {}): Promise<Buffer> {
  const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
  if (!tools) throw new Error('there is no ffmpeg');
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-clip-'));
  try {
    const path = join(folder, 'clip.mp4');
    const noise = grain > 0 ? `,noise=alls=${grain}:allf=t` : '';
    const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}${noise}`];
    const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
    await run(tools.ffmpeg, ['-v', 'error', '-y', ...picture, ...sound, ...codecs, path]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
