import { Global, Module } from '@nestjs/common';
import { Metrics } from '../metrics/metrics.js';
import { HealthServer } from './health.server.js';

/** The HTTP server for operators. */
@Global()
@Module({ providers: [HealthServer, Metrics], exports: [Metrics] })
export class HealthServerModule {}
