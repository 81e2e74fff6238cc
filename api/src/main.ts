import 'reflect-metadata';
import { createApp } from './create-app.js';
import { AppConfig } from './platform/config/app.config.js';
import { ConfigurationError } from './platform/config/environment.js';

async function main(): Promise<void> {
  const app = await createApp(process.env);
  const { port, host } = app.get(AppConfig);
  await app.listen(port, host);
  // The launcher holds the other end: when it is gone, so are we.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

main().catch((error: Error) => {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : error.stack}\n`);
  process.exit(1);
});
