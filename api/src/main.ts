import 'reflect-metadata';
import { runProcess } from '@clearframe/runtime/process';
import { createApp } from './app/create-app.js';
import { AppConfig } from './platform/config/app.config.js';

runProcess(async () => {
  const app = await createApp(process.env);
  const { port, host } = app.get(AppConfig);
  await app.listen(port, host);
  return app;
});
