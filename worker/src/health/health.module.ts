import { RedisClient } from '@clearframe/runtime/redis';
import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { ObjectStore } from '../storage/object-store.js';
import { HealthServer } from './health.server.js';
import { Readiness } from './readiness.js';

@Global()
@Module({ providers: [HealthServer, Metrics, Readiness], exports: [Metrics, Readiness] })
export class HealthModule implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly redis: RedisClient,
    private readonly store: ObjectStore,
  ) {}

  onModuleInit(): void {
    this.readiness.register({ name: 'redis', check: () => this.redis.ping() });
    this.readiness.register({ name: 'storage', check: () => this.store.checkWritable() });
  }
}
