import 'reflect-metadata';
import { setPriority } from 'node:os';
import { lowerSessionPriority, runProcess } from '@clearframe/runtime/process';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import { configureLibvips } from './image/libvips.js';
import { withAvailableQueues } from './jobs/video-host.js';
import { readNiceness } from './platform/config.js';
import { WorkerModule } from './worker.module.js';

runProcess(async () => {
  const niceness = readNiceness(process.env);
  // Set before libvips makes its threads, which inherit it.
  setPriority(niceness);
  configureLibvips();
  const environment = await withAvailableQueues(process.env);
  const app = await NestFactory.createApplicationContext(WorkerModule.from(environment), {
    // Boot messages are not logged; errors are thrown.
    logger: false,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  // Networks are loaded at normal priority first, so that a busy machine does not delay the start.
  lowerSessionPriority(niceness);
  return app;
});
