import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** Open connections are closed after this; the launcher kills the process after 3 s. */
const TIMEOUT_MS = 2_000;

/** Stops on SIGTERM, SIGINT and when the launcher exits. */
export function shutDownOnSignal(server: Server, logger: Logger): void {
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
  process.on('disconnect', () => stop('launcher disconnected'));
}
