import 'reflect-metadata';
import { runProcess } from '@clearframe/runtime/process';
import { DataSource } from 'typeorm';
import { createApp } from './app/create-app.js';
import { AppConfig } from './platform/config/app.config.js';
import { warmUpPool } from './platform/database/database.module.js';

runProcess(async () => {
  const app = await createApp(process.env);
  await warmUpPool(app.get(DataSource));
  const { port, host } = app.get(AppConfig);
  await app.listen(port, host);
  return app;
});
