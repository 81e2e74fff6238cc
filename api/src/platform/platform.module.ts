import { ConfigModule, type Environment } from '@clearframe/runtime/config';
import { LogConfig, LoggingModule } from '@clearframe/runtime/logging';
import { RedisConfig, RedisModule } from '@clearframe/runtime/redis';
import { StorageConfig } from '@clearframe/runtime/storage';
import { TracingModule } from '@clearframe/runtime/tracing';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppConfig } from './config/app.config.js';
import { LimitsConfig } from './config/limits.config.js';
import { Seal, SealConfig } from './config/seal.js';
import { DatabaseConfig, DatabaseModule } from './database/database.module.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { IdempotencyRecord, IdempotencyRepository } from './http/idempotency.repository.js';
import { IdempotencyInterceptor, IdempotencyService } from './http/idempotency.service.js';
import { RateLimitInterceptor } from './http/rate-limiter.js';
import { ResponseInterceptor } from './http/route.decorator.js';
import { HealthController } from './monitoring/health.controller.js';
import { Metrics } from './monitoring/metrics.js';
import { HostResolver } from './outbound/outbound-address.js';
import { OutboundHttp } from './outbound/outbound-http.js';
import { SigningConfig } from './storage/signed-url.js';

const CONFIGS = [
  AppConfig,
  DatabaseConfig,
  LimitsConfig,
  LogConfig,
  RedisConfig,
  SealConfig,
  SigningConfig,
  StorageConfig,
];

@Global()
@Module({})
export class PlatformModule {
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConfigModule.from(environment, CONFIGS),
        LoggingModule.forService('api'),
        TracingModule.forService('api', environment),
        DatabaseModule,
        RedisModule,
        TypeOrmModule.forFeature([IdempotencyRecord]),
      ],
      controllers: [HealthController],
      providers: [
        Metrics,
        Seal,
        HostResolver,
        IdempotencyRepository,
        IdempotencyService,
        OutboundHttp,
        { provide: APP_FILTER, useClass: ProblemFilter },
        // The first is the outermost: rate-limited requests use no idempotency key; stored responses are serialized
        // ones.
        { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: ResponseInterceptor },
      ],
      exports: [IdempotencyService, Metrics, OutboundHttp, Seal],
    };
  }
}
