import { addOutput, addUpload, newCommand, parametersOf, passthrough } from './command.js';
import { type Frame, frameBytes } from './frame.js';
import type { VideoTools } from './locate.js';
import { type Running, type RunOptions, runTool, withinStall } from './run.js';

interface ReadOptions {
  readonly path: string;
  readonly streamIndex: number;
  readonly width: number;
  readonly height: number;
  /** Convert frames to 4:2:0 of that size. */
  readonly filters: readonly string[];
  /** Options before the input, for instance a start time. */
  readonly inputOptions?: readonly string[];
  readonly maxFrames?: number;
}

const DECODER_THREADS = '2';
const TICKS = /\] n: *\d+ pts: *(-?\d+)/;
const TIME_BASE = /\] config in time_base: (\d+)\/(\d+)/;

/** Decodes a file to frames with their exact times; a reader that pauses pauses the decoder. */
export class FrameReader {
  private readonly running: Running;
  private readonly times: number[] = [];
  private timeBase = 0;
  private rest: Buffer | null = null;
  private isEnded = false;
  private wake: () => void = () => undefined;

  constructor(
    tools: VideoTools,
    private readonly options: ReadOptions,
    private readonly run: Omit<RunOptions, 'onLine' | 'reads' | 'maxBytes'>,
  ) {
    const { path, streamIndex, filters, inputOptions = [], maxFrames } = options;
    const command = addUpload(newCommand(), path, '-threads', DECODER_THREADS, '-copyts', ...inputOptions);
    // Raw frames carry no times; the last filter prints them.
    const printing = tools.hasFrameRateMode ? 'showinfo=checksum=0' : 'showinfo';
    addOutput(
      command,
      'pipe:1',
      '-map',
      `0:${streamIndex}`,
      ...passthrough(tools),
      ...(maxFrames === undefined ? [] : ['-frames:v', String(maxFrames)]),
      '-f',
      'rawvideo',
    ).videoFilters([...filters, printing]);
    const limits = { ...run, maxBytes: 0, onLine: (line: string) => this.readLine(line) };
    this.running = runTool(tools.ffmpeg, parametersOf(command, 'info'), limits);
    const { stdout } = this.running;
    const wake = () => this.wake();
    stdout.on('readable', wake);
    for (const end of ['end', 'close', 'error']) {
      stdout.once(end, () => {
        this.isEnded = true;
        wake();
      });
    }
  }

  /** Null after the last frame. @throws FfmpegError, FfmpegInterruptedError */
  async next(): Promise<Frame | null> {
    const { width, height } = this.options;
    const data = Buffer.allocUnsafeSlow(frameBytes(width, height));
    let filled = 0;
    while (filled < data.length) {
      const chunk = this.rest ?? (await this.chunk());
      this.rest = null;
      if (!chunk) {
        await this.running.done;
        return null;
      }
      const used = chunk.copy(data, filled);
      filled += used;
      if (used < chunk.length) this.rest = chunk.subarray(used);
    }
    return { width, height, data, time: await this.time() };
  }

  close(): void {
    this.running.kill();
  }

  private async chunk(): Promise<Buffer | null> {
    const { stdout } = this.running;
    for (;;) {
      const chunk: Buffer | null = stdout.read();
      if (chunk || this.isEnded) return chunk;
      await this.change();
    }
  }

  private change(): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    return withinStall(changed, this.running, this.run.stallMs);
  }

  /** Printed before the frame, but through another pipe. */
  private async time(): Promise<number> {
    for (;;) {
      const time = this.times.shift();
      if (time !== undefined) return time;
      await this.change();
    }
  }

  private readLine(line: string): boolean {
    const base = TIME_BASE.exec(line);
    if (base) this.timeBase = Number(base[1]) / Number(base[2]);
    // Ticks are exact; the printed seconds have six digits.
    const ticks = TICKS.exec(line);
    if (ticks) {
      this.times.push(Number(ticks[1]) * this.timeBase);
      this.wake();
    }
    return line.includes('Parsed_showinfo');
  }
}
