import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry, AuditRepository } from './audit.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditRepository],
  exports: [AuditRepository],
})
export class AuditModule {}
