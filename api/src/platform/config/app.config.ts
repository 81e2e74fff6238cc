import {
  ConfigurationError,
  type Environment,
  port,
  readEnvironment,
  Settings,
  secret,
} from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production']).default('local'),
  API_PORT: port(4000),
  API_HOST: z.string().default('127.0.0.1'),
  API_ROLE: z.enum(['http', 'jobs', 'all']).default('all'),
  WEB_PORT: port(3000),
  PUBLIC_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
  CLEARFRAME_INTERNAL_SECRET: secret(),
});

const originOf = ({ PUBLIC_URL, WEB_PORT }: Pick<z.infer<typeof schema>, 'PUBLIC_URL' | 'WEB_PORT'>): string =>
  new URL(PUBLIC_URL ?? `http://localhost:${WEB_PORT}`).origin;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Signed addresses, payment returns and sessions must not travel over plain HTTP. @throws ConfigurationError */
function checkPublicUrl(publicUrl: string): void {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || LOOPBACK_HOST.test(hostname)) return;
  throw new ConfigurationError(`PUBLIC_URL: must begin with https:// in production; it is '${publicUrl}'`);
}

export const publicUrlIn = (environment: Environment): string =>
  originOf(readEnvironment(schema.pick({ PUBLIC_URL: true, WEB_PORT: true }), environment));

interface AppSettings {
  readonly isProduction: boolean;
  readonly port: number;
  readonly host: string;
  /** Runs schedulers, the consumer of reports and the sweep. */
  readonly runsJobs: boolean;
  /** Origin of absolute URLs in responses. Never taken from the Host header. */
  readonly publicUrl: string;
  /** Authenticates `web`, whose forwarded client addresses are then trusted. */
  readonly internalSecret: string;
}

export class AppConfig extends Settings<AppSettings>() {
  static fromEnvironment(environment: Environment): AppConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction) checkPublicUrl(originOf(env));
    return new AppConfig({
      isProduction,
      port: env.API_PORT,
      host: env.API_HOST,
      runsJobs: env.API_ROLE !== 'http',
      publicUrl: originOf(env),
      internalSecret: env.CLEARFRAME_INTERNAL_SECRET,
    });
  }
}
