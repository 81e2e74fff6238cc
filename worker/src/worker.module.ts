import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { HealthModule } from './health/health.module.js';
import { EnhanceImageModule } from './jobs/enhance-image/enhance-image.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { RenderImageModule } from './jobs/render-image/render-image.module.js';
import { LoggingModule } from './logging/logging.module.js';
import { RedisModule } from './redis/redis.module.js';
import { StorageModule } from './storage/storage.module.js';

/** The whole worker. One module a job, beside those that every job needs. */
@Module({})
export class WorkerModule {
  static from(environment: Environment): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.from(environment),
        LoggingModule,
        RedisModule,
        StorageModule,
        HealthModule,
        EnhanceImageModule,
        RenderImageModule,
        JobsModule,
      ],
    };
  }
}
