import { Global, Injectable, Module } from '@nestjs/common';
import { type Dependency, ReadinessCheck } from '../health/index.js';
import { RedisClient } from './redis-client.js';

@Injectable()
@ReadinessCheck({ name: 'redis' })
class RedisHealth implements Dependency {
  constructor(private readonly redis: RedisClient) {}

  check(): Promise<unknown> {
    return this.redis.ping();
  }
}

/** Needs a global {@link RedisConfig} and {@link RootLog}. Declares the readiness check `redis`. */
@Global()
@Module({ providers: [RedisClient, RedisHealth], exports: [RedisClient] })
export class RedisModule {}
