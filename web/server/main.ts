import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ServerBuild } from '@remix-run/node';
import { createApp } from './app.ts';
import { readSettings, SettingsError } from './config/settings.ts';
import { createLogger } from './http/logging.ts';
import { configureTimeouts } from './http/timeouts.ts';
import { shutDownOnSignal } from './shutdown.ts';

const buildFolder = fileURLToPath(new URL('../build/', import.meta.url));

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const logger = createLogger(settings.logLevel);
  const build = (await import(pathToFileURL(path.join(buildFolder, 'server/index.js')).href)) as ServerBuild;
  const app = createApp({ settings, logger, build, clientFolder: path.join(buildFolder, 'client') });

  const server = app.listen(settings.port, settings.host);
  server.once('listening', () =>
    logger.info({ host: settings.host, port: settings.port, publicUrl: settings.publicUrl.origin }, 'listening'),
  );
  server.once('error', fail);
  configureTimeouts(server);
  shutDownOnSignal(server, logger);
}

function fail(error: unknown): void {
  const logger = createLogger();
  if (error instanceof SettingsError) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'startup failed');
  process.exit(1);
}

start().catch(fail);
