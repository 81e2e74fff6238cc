import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import { DatabaseModule } from './database/database.module.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { HealthController, Readiness } from './health/health.controller.js';
import { Metrics } from './health/metrics.js';
import { AnswerInterceptor } from './http/answer.interceptor.js';
import { AnswerSeal } from './http/answer-seal.js';
import { IdempotencyRecord } from './http/idempotency.entity.js';
import { IdempotencyInterceptor } from './http/idempotency.interceptor.js';
import { IdempotencyService } from './http/idempotency.service.js';
import { RateLimitInterceptor } from './http/rate-limit.interceptor.js';
import { LoggingModule } from './logging/logging.module.js';
import { RedisClient, RedisModule } from './redis/redis.module.js';

/** What every request of every capability passes through. Knows none of them. */
@Global()
@Module({})
export class PlatformModule {
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConfigModule.forEnvironment(environment),
        LoggingModule,
        DatabaseModule,
        RedisModule,
        TypeOrmModule.forFeature([IdempotencyRecord]),
      ],
      controllers: [HealthController],
      providers: [
        Metrics,
        AnswerSeal,
        IdempotencyService,
        {
          provide: Readiness,
          inject: [getDataSourceToken(), RedisClient],
          useFactory: (database: DataSource, redis: RedisClient) => {
            const readiness = new Readiness();
            readiness.register({ name: 'postgres', check: () => database.query('SELECT 1') });
            readiness.register({ name: 'redis', check: () => redis.ping() });
            return readiness;
          },
        },
        { provide: APP_FILTER, useClass: ProblemFilter },
        // The first is the outermost: a refused request takes no key, and what idempotency stores has been serialised.
        { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
      ],
      exports: [Metrics, Readiness, IdempotencyService],
    };
  }
}
