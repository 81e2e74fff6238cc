import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditService } from './audit.service.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditPersonalData } from './audit-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditService, AuditPersonalData],
  exports: [AuditService],
})
export class AuditModule {}
