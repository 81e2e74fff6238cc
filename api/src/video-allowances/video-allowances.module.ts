import { type RouteInput, type VideoAllowance, videoLimitRoutes } from '@clearframe/contract';
import { Controller, Module } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { VideoAllowances } from './video-allowances.js';
import { VideoUseRepository } from './video-use.repository.js';

@Controller()
class VideoLimitsController {
  constructor(private readonly videos: VideoAllowances) {}

  @Route(videoLimitRoutes.getVideoLimits)
  getVideoLimits(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof videoLimitRoutes.getVideoLimits>,
  ): Promise<VideoAllowance> {
    return this.videos.allowance(caller, query);
  }
}

@Module({
  controllers: [VideoLimitsController],
  providers: [VideoAllowances, VideoUseRepository],
  exports: [VideoAllowances],
})
export class VideoAllowancesModule {}
