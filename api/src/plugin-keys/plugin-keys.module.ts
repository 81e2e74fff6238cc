import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { AuditModule } from '../users/staff/audit/audit.module.js';
import { PluginKeyRow } from './plugin-key.entity.js';
import { PluginKeysController } from './plugin-keys.controller.js';
import { PluginKeysRepository } from './plugin-keys.repository.js';
import { PluginKeysService } from './plugin-keys.service.js';
import { PluginKeysPersonalData } from './plugin-keys-personal-data.js';

@Module({
  imports: [TypeOrmModule.forFeature([PluginKeyRow]), AuditModule, FlagsModule],
  controllers: [PluginKeysController],
  providers: [PluginKeysRepository, PluginKeysService, PluginKeysPersonalData],
})
export class PluginKeysModule {}
