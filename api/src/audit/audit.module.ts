import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { AuditService } from './audit.service.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditPersonalData } from './audit-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry]), UsersModule],
  providers: [AuditService, AuditPersonalData],
  exports: [AuditService],
})
export class AuditModule {}
