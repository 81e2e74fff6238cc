import { z } from 'zod';
import { type Environment, readEnvironment } from '../config/index.js';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LEVELS)[number];

const schema = z.object({
  LOG_LEVEL: z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` }).default('info'),
});

/** The least severe logged level. */
export class LogConfig {
  constructor(readonly level: LogLevel) {}

  static fromEnvironment(environment: Environment): LogConfig {
    return new LogConfig(readEnvironment(schema, environment).LOG_LEVEL);
  }
}
