import { createInterface } from 'node:readline';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { parametersOf } from './command.js';
import { type RunOptions, runTool, watchProgress } from './run.js';

/** Reports of ffmpeg's progress go to its standard output. */
const REPORTING = ['-progress', 'pipe:1'] as const;

/**
 * Runs a command that writes files. @returns frames of the first output
 * @throws FfmpegError; FfmpegInterruptedError, also when neither frames nor bytes were added for a minute
 */
export async function encode(
  program: string,
  command: FfmpegCommand,
  run: RunOptions,
  onFrames: (frames: number) => void = () => undefined,
): Promise<number> {
  const running = runTool(program, [...REPORTING, ...parametersOf(command)], run);
  const progress = new Map<string, string>();
  const watch = watchProgress(running, run.stallMs);
  createInterface({ input: running.stdout }).on('line', (line) => {
    const [name = '', value = ''] = line.split('=', 2);
    if (name !== 'frame' && name !== 'total_size') return;
    if (progress.get(name) === value) return;
    progress.set(name, value);
    watch.progressed();
    if (name === 'frame') onFrames(Number(value));
  });
  try {
    await running.done;
  } finally {
    watch.stop();
  }
  return Number(progress.get('frame') ?? 0);
}
