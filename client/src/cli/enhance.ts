import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Clearframe, EnhanceOptions } from '../clearframe.ts';
import { ClearframeError } from '../errors.ts';
import { addressIn } from '../inputs.ts';
import type { Result } from '../result.ts';
import type { Task } from '../schemas.ts';
import type { Format } from '../uploads.ts';
import { type Call, type Command, textOf } from './command.ts';
import { Display } from './display.ts';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.ts';
import { findPictures, idempotencyKeyOf, Journal, type Picture } from './pictures.ts';
import { TOOL_OPTIONS, toolsOf } from './tools.ts';

/** More pictures are asked about. */
const ASK_ABOVE = 50;
const FORMATS: readonly string[] = ['jpeg', 'png', 'tiff', 'psd', 'photoshop-tiff'];

export const enhanceCommand: Command = {
  name: 'enhance',
  usage: 'PICTURE|FOLDER|URL… [options]',
  summary: 'restore pictures',
  details: `Prints a line a picture. A run that was interrupted is continued by the same command: finished pictures are skipped, and those
that were sent aren't sent or paid for again. Nothing is overwritten without --force. Without tools your saved default applies, else
faces and background.`,
  examples: [
    'clearframe enhance photo.jpg -o better.png',
    'clearframe enhance photos/ --out better/ --preset portrait --jobs 4',
    'clearframe enhance scan.tif --faces v2:0.8 --color golden:0.5 --upscale 2 -o scan.png',
    'clearframe enhance photos/ --out better/ --yes --json | jq -r .output',
  ],
  options: {
    out: { type: 'string', short: 'o', value: 'PATH', help: 'file for one picture, folder for several' },
    ...TOOL_OPTIONS,
    format: {
      type: 'string',
      value: 'FORMAT',
      help: `${FORMATS.join(', ')}; default: the original's`,
      choices: FORMATS,
    },
    quality: { type: 'string', value: 'PERCENT', help: 'of JPEG: 90 or 100', choices: ['90', '100'] },
    mask: {
      type: 'string',
      value: 'FILE',
      help: 'gray PNG of the picture: white where the tools apply; for one picture',
    },
    'keep-location': { type: 'boolean', help: 'keep the place (GPS) in the files' },
    recursive: { type: 'boolean', short: 'r', help: 'folders below, too' },
    jobs: { type: 'string', short: 'j', value: 'N', help: 'pictures at once; default: 4' },
    force: { type: 'boolean', short: 'f', help: 'replace existing results' },
    yes: { type: 'boolean', short: 'y', help: `don't ask above ${ASK_ABOVE} pictures` },
    quiet: { type: 'boolean', short: 'q', help: 'no progress of running pictures' },
  },
  run: enhancePictures,
};

type Outcome =
  | { readonly status: 'done'; readonly task: Task; readonly seconds: number }
  | { readonly status: 'skipped' }
  | { readonly status: 'failed'; readonly error: unknown };

async function enhancePictures(call: Call): Promise<number> {
  const { positionals, values, signal } = call;
  if (positionals.length === 0) throw new UsageError('Name a picture or a folder.');
  const format = choiceOf(call, 'format', FORMATS) as Format | undefined;
  const quality = choiceOf(call, 'quality', ['90', '100']);
  const mask = textOf(call, 'mask');
  if (mask !== undefined && addressIn(mask) === null && !existsSync(mask))
    throw new UsageError(`${mask} doesn't exist.`);
  const options: EnhanceOptions = {
    ...toolsOf(call),
    ...(mask !== undefined && { mask }),
    ...(quality !== undefined && { jpegQuality: quality === '100' ? 100 : 90 }),
    ...(values['keep-location'] === true && { keepLocation: true }),
  };
  const jobs = Number(textOf(call, 'jobs') ?? 4);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 32) throw new UsageError('--jobs is a number from 1 to 32.');
  const out = textOf(call, 'out');
  const pictures = await findPictures(positionals, { out, format, isRecursive: values.recursive === true });
  if (pictures.length === 0) throw new UsageError('There is no picture.');
  if (mask !== undefined && pictures.length > 1) throw new UsageError('--mask is for one picture.');
  const isFolder = out !== undefined && (await stat(out).catch(() => null))?.isDirectory() === true;
  const isOne = pictures.length === 1 && !isFolder && pictures[0]?.output === (out ?? pictures[0]?.output);
  const clearframe = await call.client();
  await confirm(call, pictures.filter(({ output }) => values.force === true || !existsSync(output)).length);
  if (!isOne && out !== undefined) await mkdir(out, { recursive: true });
  const journal = isOne || out === undefined ? null : await Journal.open(out);
  const display = new Display(process.stderr, call.print, values.quiet !== true && values.json !== true);
  const run = new Run(clearframe, { options, journal, display, isForced: values.force === true, signal });
  try {
    return await eachPicture(pictures, jobs, run, (picture, outcome) =>
      display.end(picture.name, values.json === true ? jsonOf(picture, outcome) : lineOf(picture, outcome)),
    );
  } finally {
    display.close();
  }
}

function choiceOf(call: Call, name: string, choices: readonly string[]): string | undefined {
  const value = textOf(call, name);
  if (value === undefined || choices.includes(value)) return value;
  throw new UsageError(`--${name} ${value}: ${choices.join(', ')}.`);
}

/** @throws UsageError without a terminal to ask on, or for a no */
async function confirm({ values, signal }: Call, count: number): Promise<void> {
  if (count <= ASK_ABOVE || values.yes === true) return;
  if (!process.stdin.isTTY) throw new UsageError(`${count} pictures: confirm them with --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Enhance ${count} pictures? [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was enhanced.');
  } finally {
    terminal.close();
  }
}

/** Works on `jobs` pictures at a time, until they have ended or one fails for a reason that all share. */
async function eachPicture(
  pictures: readonly Picture[],
  jobs: number,
  run: Run,
  report: (picture: Picture, outcome: Outcome) => void,
): Promise<number> {
  const waiting = [...pictures];
  let exitCode: number = EXIT.ok;
  const work = async () => {
    while (exitCode <= EXIT.failed) {
      const picture = waiting.shift();
      if (!picture) return;
      const outcome = await run.enhance(picture);
      report(picture, outcome);
      if (outcome.status === 'failed') exitCode = Math.max(exitCode, exitCodeOf(outcome.error));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (waiting.length > 0) process.stderr.write(`clearframe: ${waiting.length} more would fail as well.\n`);
  return exitCode;
}

interface RunOptions {
  readonly options: EnhanceOptions;
  /** Null for a single picture. */
  readonly journal: Journal | null;
  readonly display: Display;
  readonly isForced: boolean;
  readonly signal: AbortSignal;
}

class Run {
  private readonly clearframe: Clearframe;
  private readonly given: RunOptions;

  constructor(clearframe: Clearframe, given: RunOptions) {
    this.clearframe = clearframe;
    this.given = given;
  }

  /** @throws the reason of an abortion */
  async enhance(picture: Picture): Promise<Outcome> {
    const { options, journal, isForced, signal } = this.given;
    const { output } = picture;
    const start = performance.now();
    try {
      const key = await idempotencyKeyOf(picture, options);
      if (!isForced && existsSync(output)) {
        if (journal?.has(output, key)) return { status: 'skipped' };
        throw new Error(`${output} exists: use --force to replace it.`);
      }
      await mkdir(dirname(output), { recursive: true });
      const result = await this.result(picture, key);
      const task = await result.task();
      await journal?.add(output, key);
      await result.save(output, { overwrite: isForced });
      return { status: 'done', task, seconds: (performance.now() - start) / 1000 };
    } catch (error) {
      signal.throwIfAborted();
      return { status: 'failed', error };
    }
  }

  /** In steps that can be repeated: another run with the same key continues where this one was killed. */
  private async result({ source, name, format }: Picture, idempotencyKey: string): Promise<Result<Task>> {
    const { options, display, signal } = this.given;
    const onProgress: EnhanceOptions['onProgress'] = display.isLive
      ? (progress) => display.update(name, progress)
      : undefined;
    const all = { ...options, format, idempotencyKey, onProgress, signal };
    // A mask travels in one request with its picture.
    if (addressIn(source) !== null || all.mask !== undefined) return this.clearframe.enhance(source, all);
    const { task_id: taskId } = await this.clearframe.upload(source, all);
    return this.clearframe.tasks.result(taskId, all);
  }
}

function lineOf({ name, output }: Picture, outcome: Outcome): string {
  if (outcome.status === 'skipped') return `- ${name} → ${output}  already done`;
  if (outcome.status === 'failed') return `✗ ${name}  ${messageOf(outcome.error)}`;
  const [made] = outcome.task.result.outputs;
  const faces = made?.faces.filter(({ restored }) => restored).length ?? 0;
  const what = made?.is_untouched ? 'left as it was' : `${faces} ${faces === 1 ? 'face' : 'faces'}`;
  return `✓ ${name} → ${output}  ${made?.width}×${made?.height}, ${what}, ${outcome.seconds.toFixed(1)} s`;
}

function jsonOf({ source, output }: Picture, outcome: Outcome): string {
  if (outcome.status === 'skipped') return JSON.stringify({ source, output, status: outcome.status });
  if (outcome.status === 'failed') {
    const { error } = outcome;
    const code = error instanceof ClearframeError ? error.code : null;
    return JSON.stringify({ source, output: null, status: outcome.status, code, message: messageOf(error) });
  }
  const { task } = outcome;
  const [made] = task.result.outputs;
  return JSON.stringify({
    source,
    output,
    status: outcome.status,
    task_id: task.task_id,
    width: made?.width,
    height: made?.height,
    is_untouched: made?.is_untouched,
    faces: made?.faces,
  });
}

/** With what to do about it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ClearframeError)) return error instanceof Error ? error.message : String(error);
  const { code, message, remedy } = error;
  return `${message} ${remedy ?? ''}`.trim().concat(message.includes(code) ? '' : ` (${code})`);
}
