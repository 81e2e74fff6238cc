import { ConfigModule, type Environment } from '@clearframe/runtime/config';
import { HealthModule } from '@clearframe/runtime/health';
import { LogConfig, LoggingModule, RootLog } from '@clearframe/runtime/logging';
import { RedisConfig, RedisModule } from '@clearframe/runtime/redis';
import { ObjectStoreModule, StorageConfig } from '@clearframe/runtime/storage';
import { TracingModule } from '@clearframe/runtime/tracing';
import { type DynamicModule, Module } from '@nestjs/common';
import { Decoders } from './decoder/decoders.js';
import { AnalyzeImageHandler } from './jobs/analyze-image.handler.js';
import { EnhanceImageHandler } from './jobs/enhance-image.handler.js';
import { EnhanceVideoHandler } from './jobs/enhance-video.handler.js';
import { EngineHealth, Enhancer } from './jobs/enhancer.js';
import { JobsModule } from './jobs/jobs.module.js';
import { ProbeVideoHandler } from './jobs/probe-video.handler.js';
import { RenderImageHandler } from './jobs/render-image.handler.js';
import { RenderLooksHandler } from './jobs/render-looks.handler.js';
import { RenderSharePreviewHandler } from './jobs/render-share-preview.handler.js';
import { VideoHealth, VideoHost } from './jobs/video-host.js';
import { JobsConfig, ServerConfig, VideoConfig } from './platform/config.js';
import { HealthServerModule } from './platform/health.server.js';
import { InferenceConfig } from './platform/inference.config.js';

const CONCERNS = [InferenceConfig, JobsConfig, LogConfig, RedisConfig, ServerConfig, StorageConfig, VideoConfig];

const HANDLERS = [
  AnalyzeImageHandler,
  EnhanceImageHandler,
  EnhanceVideoHandler,
  ProbeVideoHandler,
  RenderImageHandler,
  RenderLooksHandler,
  RenderSharePreviewHandler,
];

const DECODERS = { provide: Decoders, inject: [RootLog], useFactory: (root: RootLog) => new Decoders(root) };

@Module({})
export class WorkerModule {
  static from(environment: Environment): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.from(environment, CONCERNS),
        LoggingModule.forService('worker'),
        TracingModule.forService('worker', environment),
        RedisModule,
        ObjectStoreModule,
        HealthModule.requiring('engine', 'redis', 'storage', 'video'),
        HealthServerModule,
        JobsModule.forConfig(JobsConfig.fromEnvironment(environment)),
      ],
      providers: [...HANDLERS, DECODERS, Enhancer, EngineHealth, VideoHost, VideoHealth],
    };
  }
}
