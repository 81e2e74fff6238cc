import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { VideoPipeline } from '../schemas.ts';
import { type Call, type Command, textOf } from './command.ts';
import { Display } from './display.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { idempotencyKeyOf } from './pictures.ts';
import { toolsOf, VIDEO_TOOL_OPTIONS } from './tools.ts';

export const videoCommand: Command = {
  name: 'video',
  usage: 'VIDEO [options]',
  summary: 'restore a video, MP4 or MOV',
  details:
    'The result is an MP4. A video that was sent is not sent again when the same command is repeated within a day.',
  examples: ['clearframe video clip.mov -o better.mp4 --faces base --color golden'],
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', help: 'default: beside the video, named .enhanced.mp4' },
    ...VIDEO_TOOL_OPTIONS,
    force: { type: 'boolean', short: 'f', help: 'replace an existing result' },
    quiet: { type: 'boolean', short: 'q', help: 'no progress' },
  },
  run: enhanceVideo,
};

async function enhanceVideo(call: Call): Promise<number> {
  const { positionals, values, signal } = call;
  const [source] = positionals;
  if (source === undefined || positionals.length > 1) throw new UsageError('Name one video.');
  if (!existsSync(source)) throw new UsageError(`${source} doesn't exist.`);
  const name = basename(source);
  const output = textOf(call, 'out') ?? join(dirname(source), `${basename(name, extname(name))}.enhanced.mp4`);
  const isForced = values.force === true;
  if (!isForced && existsSync(output)) throw new Error(`${output} exists: use --force to replace it.`);
  const { faces, background, color, pipeline } = toolsOf(call);
  // JSON of the caller, which the server checks.
  const tools = { faces, background, color, pipeline: pipeline as VideoPipeline | undefined };
  const clearframe = await call.client();
  const display = new Display(process.stderr, call.print, values.quiet !== true && values.json !== true);
  try {
    const idempotencyKey = await idempotencyKeyOf({ source, name, output, format: 'jpeg' }, tools);
    const onProgress = display.isLive
      ? (progress: Parameters<Display['update']>[1]) => display.update(name, progress)
      : undefined;
    const result = await clearframe.video(source, { ...tools, idempotencyKey, onProgress, signal });
    await result.save(output, { overwrite: isForced });
    const { result: made } = await result.task();
    const line = { source, output, status: 'done', task_id: result.taskId, width: made?.width, height: made?.height };
    display.end(name, values.json === true ? JSON.stringify(line) : `✓ ${name} → ${output}`);
    return EXIT.ok;
  } finally {
    display.close();
  }
}
