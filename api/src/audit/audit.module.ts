import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditPersonalData } from './audit-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditRepository, AuditService, AuditPersonalData],
  exports: [AuditService],
})
export class AuditModule {}
