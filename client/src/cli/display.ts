import type { WriteStream } from 'node:tty';
import type { Progress } from '../tasks.ts';

const BAR = 20;
const CLEAR_BELOW = '\x1b[0J';

/** Lines of what is running, redrawn at the end of a terminal; lines of what has ended stay above them. */
export class Display {
  /** Whether progress is worth asking for. */
  readonly isLive: boolean;
  private readonly terminal: WriteStream;
  private readonly print: (line: string) => void;
  private readonly running = new Map<string, string>();
  private drawn = 0;

  constructor(terminal: WriteStream, print: (line: string) => void, isLive: boolean) {
    this.terminal = terminal;
    this.print = print;
    this.isLive = isLive && terminal.isTTY === true;
  }

  update(name: string, progress: Progress): void {
    if (!this.isLive) return;
    this.running.set(name, lineOf(name, progress));
    this.erase();
    this.draw();
  }

  end(name: string, line: string): void {
    this.erase();
    this.running.delete(name);
    this.print(line);
    this.draw();
  }

  /** Leaves the lines of what has ended. */
  close(): void {
    this.erase();
    this.running.clear();
  }

  private erase(): void {
    if (this.drawn > 0) this.terminal.write(`\x1b[${this.drawn}A\r${CLEAR_BELOW}`);
    this.drawn = 0;
  }

  private draw(): void {
    if (!this.isLive) return;
    const width = (this.terminal.columns ?? 80) - 1;
    for (const line of this.running.values()) this.terminal.write(`${line.slice(0, width)}\n`);
    this.drawn = this.running.size;
  }
}

function lineOf(name: string, { phase, fraction, place, remainingSeconds }: Progress): string {
  const filled = Math.round(fraction * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  const queue = place === null ? '' : `, place ${place}`;
  const rest = remainingSeconds ? `, about ${remainingSeconds} s` : '';
  return `${bar} ${name}  ${phase}${queue}${rest}`;
}
