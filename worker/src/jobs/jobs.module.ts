import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Cancellations } from './cancellation.js';
import { JobHost } from './job-host.js';
import { JobRegistry } from './job-registry.js';
import { RunReports } from './reports.js';
import { RunExecutor } from './run-executor.js';

/** Everything about jobs but the work itself. */
@Module({
  imports: [DiscoveryModule],
  providers: [Cancellations, JobHost, JobRegistry, RunExecutor, RunReports],
})
export class JobsModule {}
