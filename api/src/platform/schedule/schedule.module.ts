import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { WorkClaims } from './work-claims.js';
import { WorkRunner } from './work-runner.js';
import { WorkScheduler } from './work-scheduler.js';

@Module({
  imports: [DiscoveryModule],
  providers: [WorkClaims, WorkRunner, WorkScheduler],
  exports: [WorkRunner],
})
export class WorkScheduleModule {}
