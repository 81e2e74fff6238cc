import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { builtPages, sourcePages } from './assets.ts';
import { readSettings, SettingsError } from './config/settings.ts';
import { createLogger } from './http/logging.ts';
import { configureTimeouts } from './http/timeouts.ts';
import { shutDownOnSignal } from './shutdown.ts';

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const logger = createLogger(settings.logLevel);
  const server = createServer();
  const pages = await (process.env.NODE_ENV === 'development'
    ? sourcePages(folder('..'), server)
    : builtPages(folder('../build')));
  server.on('request', createApp({ settings, logger, pages }));

  server.once('listening', () =>
    logger.info({ host: settings.host, port: settings.port, publicUrl: settings.publicUrl.origin }, 'listening'),
  );
  server.once('error', fail);
  configureTimeouts(server);
  shutDownOnSignal(server, logger);
  server.listen(settings.port, settings.host);
}

function fail(error: unknown): void {
  const logger = createLogger();
  if (error instanceof SettingsError) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'startup failed');
  process.exit(1);
}

start().catch(fail);
