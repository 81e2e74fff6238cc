import { Module } from '@nestjs/common';
import { VideoAllowances } from './video-allowances.js';
import { VideoLimitsController } from './video-limits.controller.js';
import { VideoUseRepository } from './video-use.repository.js';

@Module({
  controllers: [VideoLimitsController],
  providers: [VideoAllowances, VideoUseRepository],
  exports: [VideoAllowances],
})
export class VideoAllowancesModule {}
