import 'reflect-metadata';
import { runProcess } from '@clearframe/runtime/process';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import { configureLibvips } from './image/picture/libvips.js';
import { WorkerModule } from './worker.module.js';

runProcess(async () => {
  configureLibvips();
  const app = await NestFactory.createApplicationContext(WorkerModule.from(process.env), {
    // Boot messages are not logged; errors are thrown.
    logger: false,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  return app;
});
