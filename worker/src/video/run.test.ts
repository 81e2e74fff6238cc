import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { StubPrograms } from '../test/programs.js';
import { addOutput, newCommand } from './command.js';
import { encode } from './encode.js';
import { FfmpegError, FfmpegInterruptedError, type Running, type RunOptions, runTool, withinStall } from './run.js';

let programs: StubPrograms;
beforeAll(async () => {
  programs = await StubPrograms.create();
});
afterAll(() => programs.remove());

/** Longer than any test. */
const LONG_MS = 600_000;
const SHORT_MS = 20;
/** Prints its process id, then hangs. */
const HANGING = 'echo $$; exec tail -f /dev/null';

const optionsOf = (change: Partial<RunOptions> = {}): RunOptions => ({
  folder: programs.folder,
  signal: new AbortController().signal,
  timeoutMs: LONG_MS,
  maxBytes: 0,
  ...change,
});

async function run(body: string, change: Partial<RunOptions> = {}): Promise<Running> {
  return runTool(await programs.script(body), [], optionsOf(change));
}

async function firstLine({ stdout }: Running): Promise<string> {
  const [line] = await once(createInterface({ input: stdout }), 'line');
  return String(line);
}

/** A program that has ended is gone, or a zombie until its parent asks for its status. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^State:\s+[^ZX\s]/m.test(status);
}

describe('a program', () => {
  it('has an environment without secrets, and its folder', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const printed = await text((await run('pwd; exec env')).stdout);
    vi.unstubAllEnvs();
    expect(printed).not.toContain('secret');
    const [folder, ...variables] = printed.trim().split('\n');
    expect(folder).toBe(programs.folder);
    // `_`, `PWD` and the like are the shell's own.
    const names = variables
      .map((line) => line.split('=', 1)[0])
      .filter((name) => !/^(_|PWD|OLDPWD|SHLVL)$/.test(name ?? ''));
    expect(names.toSorted()).toEqual(['HOME', 'LC_ALL', 'PATH']);
  });

  it('writes no more than its limit', async () => {
    const maxBytes = 1024;
    const running = await run('exec head -c 100000 /dev/zero > written', { maxBytes });
    await expect(running.done).rejects.toBeInstanceOf(FfmpegInterruptedError);
    expect((await stat(join(programs.folder, 'written'))).size).toBe(maxBytes);
  });

  it('that is cancelled has ended when the run ends', async () => {
    const controller = new AbortController();
    const running = await run(HANGING, { signal: controller.signal });
    const pid = Number(await firstLine(running));
    expect(await isRunning(pid)).toBe(true);
    controller.abort(new Error('cancelled'));
    await expect(running.done).rejects.toThrow('cancelled');
    expect(await isRunning(pid)).toBe(false);
  });

  it('that takes longer than its limit of time has ended when the run ends', async () => {
    const running = await run(HANGING, { timeoutMs: SHORT_MS });
    const pid = firstLine(running).then(Number);
    pid.catch(() => undefined);
    await expect(running.done).rejects.toThrow(`not finished after ${SHORT_MS} ms`);
    await expect(running.done).rejects.toBeInstanceOf(FfmpegInterruptedError);
  });

  it('that neither reads nor writes is ended', async () => {
    const running = await run(HANGING);
    const pid = Number(await firstLine(running));
    const never = new Promise<never>(() => undefined);
    await expect(withinStall(never, running, SHORT_MS)).rejects.toThrow(`no progress for ${SHORT_MS} ms`);
    expect(await isRunning(pid)).toBe(false);
  });

  it('that encodes without progress is ended', async () => {
    const program = await programs.script('echo frame=1; echo frame=1; exec tail -f /dev/null');
    const command = addOutput(newCommand().input('pipe:0'), 'result.mp4');
    const frames: number[] = [];
    const encoding = encode(program, command, optionsOf({ stallMs: SHORT_MS }), (count) => frames.push(count));
    await expect(encoding).rejects.toBeInstanceOf(FfmpegInterruptedError);
  });

  it.each([
    ['a signal', 'kill -KILL $$', FfmpegInterruptedError],
    ['a crash', 'kill -SEGV $$', FfmpegInterruptedError],
    ['its own status', 'echo why >&2; exit 1', FfmpegError],
    ['the status of a file that is none', 'exit 183', FfmpegError],
  ])('that ends by %s says so', async (_, body, type) => {
    await expect((await run(body)).done).rejects.toBeInstanceOf(type);
  });

  it('that does not start says so', async () => {
    const running = runTool(join(programs.folder, 'missing'), [], optionsOf());
    await expect(running.done).rejects.toBeInstanceOf(FfmpegInterruptedError);
  });
});
