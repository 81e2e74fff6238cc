import { Global, Module } from '@nestjs/common';
import { RedisClient } from './redis-client.js';

/** Needs a global {@link RedisConfig} and {@link RootLog}. */
@Global()
@Module({ providers: [RedisClient], exports: [RedisClient] })
export class RedisModule {}
