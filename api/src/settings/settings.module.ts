import { Module } from '@nestjs/common';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';

/** What clients are told. Prices come from billing, which is there for everybody. */
@Module({ imports: [FlagsModule], controllers: [SettingsController], providers: [SettingsService] })
export class SettingsModule {}
