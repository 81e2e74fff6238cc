import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** What still runs after this many milliseconds is cut off; the launcher gives us 3 s. */
const TIMEOUT_MS = 2_000;

/** Ends the process when it is told to, or when the launcher that started it is gone. */
export function shutDownOnRequest(server: Server, logger: Logger): void {
  let isStopping = false;
  const stop = (reason: string): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'stopping');
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), TIMEOUT_MS).unref();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('the launcher is gone'));
}
