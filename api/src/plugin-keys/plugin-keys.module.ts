import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { ApiKeys } from '../sessions/api-keys.js';
import { IssuedKeys } from './issued-keys.js';
import { KeyGuesses } from './key-guesses.js';
import { PluginKeyRow } from './plugin-key.entity.js';
import { PluginKeyAccess } from './plugin-key-access.js';
import { PluginKeysController } from './plugin-keys.controller.js';
import { PluginKeysRepository } from './plugin-keys.repository.js';
import { PluginKeysService } from './plugin-keys.service.js';
import { PluginKeysPersonalData } from './plugin-keys-personal-data.js';

/** Global: identity holds and revokes keys by the port `ApiKeys`. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([PluginKeyRow]), AuditModule, ExperimentsModule],
  controllers: [PluginKeysController],
  providers: [
    PluginKeysRepository,
    PluginKeysService,
    PluginKeysPersonalData,
    KeyGuesses,
    PluginKeyAccess,
    { provide: ApiKeys, useClass: IssuedKeys },
  ],
  exports: [ApiKeys, PluginKeyAccess],
})
export class PluginKeysModule {}
