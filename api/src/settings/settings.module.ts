import { Module } from '@nestjs/common';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';
import { VideoAvailability } from './video-availability.js';

@Module({
  imports: [ExperimentsModule],
  controllers: [SettingsController],
  providers: [SettingsService, VideoAvailability],
})
export class SettingsModule {}
