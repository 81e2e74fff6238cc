import { ConfigModule, type Environment } from '@clearframe/runtime/config';
import { HealthModule } from '@clearframe/runtime/health';
import { LogConfig, LoggingModule } from '@clearframe/runtime/logging';
import { RedisConfig, RedisModule } from '@clearframe/runtime/redis';
import { ObjectStoreModule, StorageConfig } from '@clearframe/runtime/storage';
import { type DynamicModule, Module } from '@nestjs/common';
import { EnhanceImageModule } from './jobs/enhance-image.handler.js';
import { EnhanceVideoModule } from './jobs/enhance-video.handler.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ProbeVideoModule } from './jobs/probe-video.handler.js';
import { RenderImageModule } from './jobs/render-image.handler.js';
import { RenderLooksModule } from './jobs/render-looks.handler.js';
import { RenderSharePreviewModule } from './jobs/render-share-preview.handler.js';
import { JobsConfig, ServerConfig, VideoConfig } from './platform/config.js';
import { HealthServerModule } from './platform/health.server.js';
import { InferenceConfig } from './platform/inference.config.js';

const CONCERNS = [InferenceConfig, JobsConfig, LogConfig, RedisConfig, ServerConfig, StorageConfig, VideoConfig];

@Module({})
export class WorkerModule {
  static from(environment: Environment): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.from(environment, CONCERNS),
        LoggingModule.forService('worker'),
        RedisModule,
        ObjectStoreModule,
        HealthModule.requiring('engine', 'redis', 'storage', 'video'),
        HealthServerModule,
        EnhanceImageModule,
        EnhanceVideoModule,
        ProbeVideoModule,
        RenderImageModule,
        RenderLooksModule,
        RenderSharePreviewModule,
        JobsModule.forConfig(JobsConfig.fromEnvironment(environment)),
      ],
    };
  }
}
