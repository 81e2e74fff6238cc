import { randomUUID } from 'node:crypto';
import { inMilliseconds } from '@clearframe/contract';
import { Redis, type RedisOptions } from 'ioredis';

/** Commands with which BullMQ waits for jobs and events, for at most 10 s. Nothing is sent behind them. */
const WAITING_COMMANDS: readonly string[] = ['bzpopmin', 'xread'];

export interface WatchTimes {
  readonly everyMs: number;
  /** Checks during which a command may be unanswered; with more, the connection is taken for dead. */
  readonly answerChecks: number;
  readonly waitChecks: number;
}

const TIMES: WatchTimes = { everyMs: inMilliseconds.seconds(2), answerChecks: 2, waitChecks: 8 };

type LegacyOptions = RedisOptions & { readonly replyMapping?: 'legacy' };

interface CommandQueue {
  shift(): { readonly command: { reject(error: Error): void } } | undefined;
}

class ConnectionEndedError extends Error {
  constructor() {
    super('the connection to Redis has ended');
  }
}

class UnansweredError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Opens a new connection when the present one is dead without having been closed: bytes may vanish for a while, and
 * those that arrive afterwards answer other commands than the oldest ones. Counts checks, not time: a process that was
 * stopped, or got no processor, has not read what arrived.
 */
export class WatchedRedis extends Redis {
  private timer: NodeJS.Timeout | undefined;
  private oldest: unknown;
  private checks = 0;

  constructor(url: string, options: LegacyOptions = {}, times: WatchTimes = TIMES) {
    super(url, options);
    this.on('connect', () => {
      clearInterval(this.timer);
      this.timer = setInterval(() => this.check(times), times.everyMs).unref();
    });
    this.on('close', () => clearInterval(this.timer));
    this.on('end', () => this.rejectUnfulfilled());
  }

  private check({ answerChecks, waitChecks }: WatchTimes): void {
    const { stream } = this;
    const item = this.commandQueue.peekFront();
    this.checks = item && item === this.oldest ? this.checks + 1 : 0;
    this.oldest = item;
    const name = item?.command.name ?? '';
    const isWaiting = WAITING_COMMANDS.includes(name);
    if (this.checks >= (isWaiting ? waitChecks : answerChecks)) {
      stream.destroy(new UnansweredError(`Redis does not answer ${name}`));
    } else if (this.status === 'ready' && !isWaiting && this.checks === 0) this.askForEcho();
  }

  /** ioredis keeps the commands of the last open connection for the next one, also when there is none any more. */
  private rejectUnfulfilled(): void {
    const { prevCommandQueue: kept } = this as unknown as { readonly prevCommandQueue?: CommandQueue | null };
    for (let item = kept?.shift(); item; item = kept?.shift()) item.command.reject(new ConnectionEndedError());
  }

  /** Another answer than the text was meant for an earlier command, and all later ones are one off. */
  private askForEcho(): void {
    const { stream } = this;
    const text = randomUUID();
    this.echo(text).then(
      (answer) => {
        if (answer !== text) stream.destroy(new UnansweredError('Redis answers other commands than were sent'));
      },
      () => undefined,
    );
  }
}
