import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { configureTimeouts, createApp } from './app.ts';
import { builtPages, sourcePages } from './assets.ts';
import { readSettings, SettingsError } from './config/settings.ts';
import { openErrorReports } from './error-reports.ts';
import { createLogger } from './http/request-context.ts';
import { PageMetrics } from './page-metrics.ts';
import { startTracing } from './tracing.ts';

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const reports = settings.sentryDsn ? await openErrorReports(settings.sentryDsn, settings.environment) : null;
  const logger = createLogger(settings.logLevel, reports?.hooks);
  const tracing = settings.isTraced ? await startTracing() : null;
  const server = createServer();
  const pages = await (process.env.NODE_ENV === 'development'
    ? sourcePages(folder('..'), server)
    : builtPages(folder('../build')));
  const metrics = settings.metricsPort === null ? undefined : new PageMetrics();
  server.on('request', createApp({ settings, logger, pages, metrics }));

  server.once('listening', () =>
    logger.info({ host: settings.host, port: settings.port, publicUrl: settings.publicUrl.origin }, 'listening'),
  );
  server.once('error', fail);
  configureTimeouts(server);
  if (settings.metricsPort !== null) metrics?.serve(settings.metricsPort, settings.host).once('error', fail);
  shutDownOnSignal(server, logger, async () => {
    await Promise.allSettled([tracing?.stop(), reports?.stop()]);
  });
  server.listen(settings.port, settings.host);
}

function fail(error: unknown): void {
  const logger = createLogger();
  if (error instanceof SettingsError) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'startup failed');
  process.exit(1);
}

/** Open connections are closed after this; the launcher kills the process after 3 s. */
const SHUTDOWN_MS = 2_000;

/** Stops on SIGTERM, SIGINT and when the launcher exits. */
function shutDownOnSignal(server: Server, logger: Logger, finish: () => Promise<void>): void {
  let isStopping = false;
  const stop = (reason: string): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'stopping');
    server.close(() => void finish().then(() => process.exit(0)));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS).unref();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('launcher disconnected'));
}

start().catch(fail);
