/** A process that enhances a video until it is killed; prints a line at the first progress. */
import { locateVideoTools } from '../video/locate.js';
import { enhanceInProcess } from '../video/video-process.js';

const [path = '', folder = ''] = process.argv.slice(2);
const tools = await locateVideoTools({ ffmpeg: process.env.FFMPEG_PATH, ffprobe: process.env.FFPROBE_PATH });
if (!tools) throw new Error('there is no ffmpeg');
const plan = { recipe: 'signal', estimatedSeconds: 1 } as const;
const request = { tools, path, folder, aiPipeline: {}, plan, maxSide: 1920 };
const childPath = new URL('../video/child.ts', import.meta.url);
await enhanceInProcess(request, () => process.stdout.write('running\n'), {
  signal: new AbortController().signal,
  childPath,
});
