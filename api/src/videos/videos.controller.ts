import { type RouteInput, type VideoTask, type VideoTaskCreated, videoRoutes } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { PreferredWait, type Wait } from '../platform/http/preferred-wait.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { VideoProcessingService } from './video-processing.service.js';
import { VideosService } from './videos.service.js';

@Controller()
export class VideosController {
  constructor(
    private readonly videos: VideosService,
    private readonly processing: VideoProcessingService,
  ) {}

  @Route(videoRoutes.createVideoTask)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof videoRoutes.createVideoTask>,
  ): Promise<VideoTaskCreated> {
    return this.videos.create(caller, body);
  }

  @Route(videoRoutes.processVideoTask)
  process(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof videoRoutes.processVideoTask>,
  ): Promise<VideoTask> {
    return this.processing.process(caller, params.videoTaskId);
  }

  @Route(videoRoutes.reprocessVideoTask)
  reprocess(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof videoRoutes.reprocessVideoTask>,
  ): Promise<VideoTask> {
    return this.processing.reprocess(caller, params.videoTaskId, body.aiPipeline);
  }

  @Route(videoRoutes.cancelVideoTask)
  cancel(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof videoRoutes.cancelVideoTask>,
  ): Promise<VideoTask> {
    return this.videos.cancel(caller, params.videoTaskId);
  }

  @Route(videoRoutes.getVideoTask)
  get(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof videoRoutes.getVideoTask>,
    @PreferredWait() wait: Wait | null,
  ): Promise<VideoTask> {
    return this.videos.get(caller, params.videoTaskId, wait);
  }
}
