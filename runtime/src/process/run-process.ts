import { inMilliseconds } from '@clearframe/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { ConfigurationError } from '../config/index.js';

/** A supervisor waits 8 s before it sends SIGKILL. */
const SHUTDOWN_TIMEOUT_MS = inMilliseconds.seconds(7);

/**
 * Starts an application and closes it on SIGTERM, on SIGINT and when the parent process disconnects its IPC channel.
 * Exits with 0 after a clean shutdown, with 1 when starting or closing fails or when closing takes longer than 7 s.
 * A {@link ConfigurationError} is printed as one line, other errors with their stack.
 * @param start resolves once the application serves
 */
export function runProcess(start: () => Promise<INestApplicationContext>): void {
  let app: INestApplicationContext | undefined;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    const closed = app?.close() ?? Promise.resolve();
    closed.then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  start().then(
    (running) => {
      app = running;
    },
    (error: Error) => {
      process.stderr.write(`${error instanceof ConfigurationError ? error.message : error.stack}\n`);
      process.exit(1);
    },
  );
}
