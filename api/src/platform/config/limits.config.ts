import { inSeconds, type RateLimit } from '@clearframe/contract';
import { count, type Environment, readEnvironment, Settings, wholeNumber } from '@clearframe/runtime/config';
import { z } from 'zod';

/** Local tests log in from one address. */
const LOGINS = { production: 60, local: 300 } as const;

const schema = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production']).default('local'),
  LIMIT_GUESTS_PER_10_MINUTES: count(60),
  LIMIT_LOGINS_PER_10_MINUTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  LIMIT_WRITES_PER_MINUTE: count(120),
  LIMIT_ANALYSES_PER_MINUTE: count(60),
  LIMIT_READS_PER_MINUTE: count(600),
  LIMIT_TILES_PER_MINUTE: count(3000),
  LIMIT_EVENTS_PER_MINUTE: count(600),
  LIMIT_SUPPORT_PER_HOUR: count(10),
  LIMIT_WEBHOOKS_PER_MINUTE: count(600),
  QUEUE_MAX_WAITING: count(20_000),
  QUEUE_MAX_PER_USER: count(1000),
  QUEUE_MAX_RENDERS_PER_USER: count(5000),
});

export interface RatePolicy {
  readonly points: number;
  readonly windowSeconds: number;
}

interface LimitSettings {
  readonly rates: Readonly<Record<RateLimit, RatePolicy>>;
  readonly webhooks: RatePolicy;
  readonly queueMaxWaiting: number;
  readonly queueMaxPerUser: number;
  readonly queueMaxRendersPerUser: number;
}

export class LimitsConfig extends Settings<LimitSettings>() {
  static fromEnvironment(environment: Environment): LimitsConfig {
    const env = readEnvironment(schema, environment);
    const logins = env.LIMIT_LOGINS_PER_10_MINUTES ?? LOGINS[env.CLEARFRAME_ENV];
    return new LimitsConfig({
      rates: {
        guests: { points: env.LIMIT_GUESTS_PER_10_MINUTES, windowSeconds: inSeconds.minutes(10) },
        logins: { points: logins, windowSeconds: inSeconds.minutes(10) },
        writes: { points: env.LIMIT_WRITES_PER_MINUTE, windowSeconds: inSeconds.minutes(1) },
        analyses: { points: env.LIMIT_ANALYSES_PER_MINUTE, windowSeconds: inSeconds.minutes(1) },
        reads: { points: env.LIMIT_READS_PER_MINUTE, windowSeconds: inSeconds.minutes(1) },
        tiles: { points: env.LIMIT_TILES_PER_MINUTE, windowSeconds: inSeconds.minutes(1) },
        events: { points: env.LIMIT_EVENTS_PER_MINUTE, windowSeconds: inSeconds.minutes(1) },
        support: { points: env.LIMIT_SUPPORT_PER_HOUR, windowSeconds: inSeconds.hours(1) },
      },
      webhooks: { points: env.LIMIT_WEBHOOKS_PER_MINUTE, windowSeconds: inSeconds.minutes(1) },
      queueMaxWaiting: env.QUEUE_MAX_WAITING,
      queueMaxPerUser: env.QUEUE_MAX_PER_USER,
      queueMaxRendersPerUser: env.QUEUE_MAX_RENDERS_PER_USER,
    });
  }
}
