import { Module } from '@nestjs/common';
import { FlagsModule } from '../platform/flags/flags.module.js';
import { SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';
import { VideoAvailability } from './video-availability.js';

@Module({ imports: [FlagsModule], controllers: [SettingsController], providers: [SettingsService, VideoAvailability] })
export class SettingsModule {}
