import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.repository.js';
import { FlagsModule } from '../platform/flags/flags.service.js';
import { ExperimentsController } from './experiments.controller.js';
import { ExperimentRow, ExperimentsRepository } from './experiments.repository.js';
import { ExperimentsService, VisitorFlags } from './experiments.service.js';
import { VisitorsRepository } from './visitors.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperimentRow]), FlagsModule, AuditModule],
  controllers: [ExperimentsController],
  providers: [ExperimentsRepository, VisitorsRepository, ExperimentsService, VisitorFlags],
  exports: [VisitorFlags],
})
export class ExperimentsModule {}
