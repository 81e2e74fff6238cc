import { ConfigurationError } from '@clearframe/runtime/config';
import { sandboxConfig } from './core/config.js';
import { startSandbox } from './server.js';

const report = (message: string): void => void process.stdout.write(`${message}\n`);

try {
  const sandbox = await startSandbox(sandboxConfig(process.env), report);
  report(`sandbox listens on ${sandbox.url}`);
  const stop = (): void => void sandbox.stop().finally(() => process.exit());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  // The launcher was killed.
  process.once('disconnect', stop);
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
