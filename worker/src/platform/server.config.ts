import { type Environment, port, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production'], { error: "must be 'local' or 'production'" }).default('local'),
  WORKER_PORT: port(4001),
  WORKER_HOST: z.string().default('127.0.0.1'),
});

export class ServerConfig {
  constructor(
    readonly environment: 'local' | 'production',
    readonly port: number,
    readonly host: string,
  ) {}

  static fromEnvironment(environment: Environment): ServerConfig {
    const values = readEnvironment(schema, environment);
    return new ServerConfig(values.CLEARFRAME_ENV, values.WORKER_PORT, values.WORKER_HOST);
  }
}
