import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { ExperimentRow } from './experiment.entity.js';
import { ExperimentsController } from './experiments.controller.js';
import { ExperimentsRepository } from './experiments.repository.js';
import { ExperimentsService } from './experiments.service.js';
import { ExperimentsPersonalData } from './experiments-personal-data.js';
import { VisitorFlags } from './visitor-flags.js';
import { VisitorsRepository } from './visitors.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExperimentRow]), FlagsModule, AuditModule],
  controllers: [ExperimentsController],
  providers: [ExperimentsRepository, VisitorsRepository, ExperimentsService, ExperimentsPersonalData, VisitorFlags],
  exports: [VisitorFlags],
})
export class ExperimentsModule {}
