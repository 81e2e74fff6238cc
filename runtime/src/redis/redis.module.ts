import { Global, Module } from '@nestjs/common';
import { RedisClient } from './redis-client.js';
import { RedisHealth } from './redis-health.js';

/** Needs a global {@link RedisConfig} and {@link RootLog}. Declares the readiness check `redis`. */
@Global()
@Module({ providers: [RedisClient, RedisHealth], exports: [RedisClient] })
export class RedisModule {}
