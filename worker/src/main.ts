import 'reflect-metadata';
import { inMilliseconds } from '@clearframe/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import { ConfigurationError } from './config/environment.js';
import { configureLibvips } from './image/libvips.js';
import { createLog } from './logging/logging.module.js';
import { NotConfiguredError } from './storage/object-store.js';
import { WorkerModule } from './worker.module.js';

/** Whoever stops us waits 8 s before using force. */
const SHUTDOWN_MS = inMilliseconds.seconds(5);

async function main(): Promise<void> {
  let app: INestApplicationContext | undefined;
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    const closed = app?.close() ?? Promise.resolve();
    closed.then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
  // The launcher holds the other end of this channel. When it dies, nobody is left to stop us.
  process.on('disconnect', leave);

  configureLibvips();
  app = await NestFactory.createApplicationContext(WorkerModule.from(process.env), {
    // What goes wrong at boot is thrown to us; what goes right is said by the parts themselves.
    logger: false,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
}

main().catch((error: unknown) => {
  const log = createLog('info');
  // These say all there is to say in one sentence.
  const isPlain = error instanceof ConfigurationError || error instanceof NotConfiguredError;
  if (isPlain) log.fatal(error.message);
  else log.fatal({ err: error }, 'the worker could not start');
  process.exit(1);
});
