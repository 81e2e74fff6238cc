import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.repository.js';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { PluginKeyAccess } from './plugin-key-access.js';
import { PluginKeysController } from './plugin-keys.controller.js';
import { PluginKeyRow, PluginKeysRepository } from './plugin-keys.repository.js';
import { PluginKeysService } from './plugin-keys.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([PluginKeyRow]), AuditModule, ExperimentsModule, TasksModule, UsageModule],
  controllers: [PluginKeysController],
  providers: [PluginKeysRepository, PluginKeysService, PluginKeyAccess],
  exports: [PluginKeyAccess, PluginKeysRepository],
})
export class PluginKeysModule {}
