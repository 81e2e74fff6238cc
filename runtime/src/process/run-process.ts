import { inMilliseconds } from '@clearframe/contract';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { ConfigurationError } from '../config/index.js';

/** The supervisor sends SIGKILL after 8 s. */
const SHUTDOWN_TIMEOUT_MS = inMilliseconds.seconds(7);

/**
 * Closes the application on SIGTERM, SIGINT, an unhandled rejection and when the parent's IPC channel disconnects. Exits
 * with 0 after a clean shutdown; with 1 after an unhandled rejection, when starting or closing fails, and when closing
 * takes longer than 7 s. A {@link ConfigurationError} is printed without stack.
 * @param start resolves once the application serves
 */
export function runProcess(start: () => Promise<INestApplicationContext>): void {
  let app: INestApplicationContext | undefined;
  let isStopping = false;
  let exitCode = 0;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    const closed = app?.close() ?? Promise.resolve();
    closed.then(
      () => process.exit(exitCode),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  process.on('unhandledRejection', (reason) => {
    exitCode = 1;
    if (app) new Logger('Process').fatal({ err: reason }, 'unhandled rejection: shutting down');
    else process.stderr.write(`unhandled rejection: ${reason instanceof Error ? reason.stack : reason}\n`);
    stop();
  });
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
