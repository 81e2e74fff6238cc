import { Injectable } from '@nestjs/common';
import { type Dependency, ReadinessCheck } from '../health/index.js';
import { RedisClient } from './redis-client.js';

@Injectable()
@ReadinessCheck({ name: 'redis' })
export class RedisHealth implements Dependency {
  constructor(private readonly redis: RedisClient) {}

  check(): Promise<unknown> {
    return this.redis.ping();
  }
}
