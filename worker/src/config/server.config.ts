import { z } from 'zod';
import { type Environment, readEnvironment, wholeNumber } from './environment.js';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const schema = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production'], { error: "must be 'local' or 'production'" }).default('local'),
  LOG_LEVEL: z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` }).default('info'),
  // 0 lets the system choose, which tests rely on.
  WORKER_PORT: wholeNumber(0, 65_535).default(4001),
});

/** How the process shows itself to operators. */
export class ServerConfig {
  constructor(
    readonly environment: 'local' | 'production',
    readonly logLevel: (typeof LEVELS)[number],
    readonly port: number,
  ) {}

  static fromEnvironment(environment: Environment): ServerConfig {
    const values = readEnvironment(schema, environment);
    return new ServerConfig(values.CLEARFRAME_ENV, values.LOG_LEVEL, values.WORKER_PORT);
  }
}
