import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import {
  DISPLAY_MAX_SIDE,
  type JobPayload,
  objectKeys,
  type ProbedVideo,
  probeVideo as probeVideoJob,
  VIDEO_CAPS,
  VIDEO_MAX_SIDE,
  type VideoMetadata,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { InvalidImageError } from '../image/errors.js';
import { Metrics } from '../platform/metrics.js';
import { withScratch } from '../platform/scratch.js';
import { FILES } from '../video/files.js';
import { fittingSize } from '../video/filters.js';
import { type ProbedMetadata, probeVideo } from '../video/probe-video.js';
import { FfmpegError } from '../video/run.js';
import { VideoWork } from '../video/video-work.js';
import { fetchInput } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { Steps } from './steps.js';
import { VideoHost } from './video-host.js';

type Payload = JobPayload<typeof probeVideoJob>;

const PROGRESS_AFTER = { fetch: 0.1, probe: 0.6, poster: 0.8, plan: 0.9, store: 1 } as const;

@Injectable()
@HandlesJob(probeVideoJob)
export class ProbeVideoHandler implements JobHandler<typeof probeVideoJob> {
  constructor(
    private readonly store: ObjectStore,
    private readonly host: VideoHost,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<ProbedVideo> {
    const { tools } = this.host;
    const { signal } = context;
    this.host.prepareToPlan();
    const steps = new Steps(probeVideoJob.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, payload.inputKey));
    try {
      return await withScratch(async (folder) => {
        const metadata = await steps.run('probe', () => probeVideo(tools, file.path, { folder, signal }));
        assertShownSize(metadata);
        const size = fittingSize(metadata, DISPLAY_MAX_SIDE);
        await steps.run('poster', () =>
          writeFirstFrame(new VideoWork(tools, file.path, folder, metadata, size, signal)),
        );
        const plan = await steps.run('plan', () => this.host.plan(metadata, payload.aiPipeline, VIDEO_MAX_SIDE));
        const posterKey = objectKeys.videoPoster(payload.subjectId, payload.runId);
        const thumbnailKey = objectKeys.videoThumbnail(payload.subjectId, payload.runId);
        await steps.run('store', async () => {
          await this.store.put(posterKey, createReadStream(join(folder, FILES.poster)), 'image/jpeg');
          await this.store.put(thumbnailKey, createReadStream(join(folder, FILES.thumbnail)), 'image/jpeg');
        });
        const { sizeBytes, sha256 } = metadata;
        return { ...videoMetadataOf(metadata), sizeBytes, sha256, plan, posterKey, thumbnailKey };
      });
    } finally {
      await file.release();
    }
  }
}

/** Pixels that are not square can make it larger than its frames. */
function assertShownSize({ width, height }: ProbedMetadata): void {
  if (width * height > VIDEO_CAPS.maxPixels) throw new InvalidImageError('uploads.too_many_pixels');
}

/** Rejects a file whose first frame can't be decoded. */
async function writeFirstFrame(work: VideoWork): Promise<void> {
  await work.prepare();
  const reader = work.read([], { maxFrames: 1 });
  const first = await reader.next().catch((cause) => {
    throw cause instanceof FfmpegError ? new InvalidImageError('uploads.undecodable', { cause }) : cause;
  });
  reader.close();
  if (!first) throw new InvalidImageError('uploads.undecodable');
  await work.writeFirst(first);
}

function videoMetadataOf(metadata: ProbedMetadata): VideoMetadata {
  const { contentType, width, height, duration, frameCount, frameRate, isVariableFrameRate, rotation } = metadata;
  const { isHdr, codec, isBrowserPlayable, source } = metadata;
  const [audioTracks, subtitleTracks] = [source.audio.length, source.subtitles.length];
  const times = { duration, frameCount, frameRate, isVariableFrameRate };
  const tracks = { hasAudio: audioTracks > 0, audioTracks, subtitleTracks };
  return { contentType, width, height, ...times, rotation, ...tracks, isHdr, codec, isBrowserPlayable };
}
