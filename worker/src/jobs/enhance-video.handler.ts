import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import {
  type EnhancedVideo,
  enhanceVideo,
  type JobPayload,
  objectKeys,
  type RunProgressReport,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics.js';
import { withScratch } from '../platform/scratch.js';
import { FILES, type VideoOutcome, type VideoUpdate } from '../video/files.js';
import { enhanceInProcess } from '../video/video-process.js';
import { fetchInput } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { Steps } from './steps.js';
import { VideoHost } from './video-host.js';

type Payload = JobPayload<typeof enhanceVideo>;
type PreviewKeys = RunProgressReport['previewKeys'];

const PROGRESS_AFTER = { fetch: 0.01, enhance: 0.98, store: 1 } as const;
/** Incremented whenever the same request would give another video. 4: looks measured on frames scaled by their area. */
const RECIPE_VERSION = 6;

const SNAKE_CASE = {
  faceEnhance: 'face_enhance',
  backgroundEnhance: 'background_enhance',
  colorEnhance: 'color_enhance',
} as const;

@Injectable()
@HandlesJob(enhanceVideo)
export class EnhanceVideoHandler implements JobHandler<typeof enhanceVideo> {
  constructor(
    private readonly store: ObjectStore,
    private readonly host: VideoHost,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<EnhancedVideo> {
    const { tools, environment } = this.host;
    const { signal } = context;
    const { aiPipeline, plan, maxSide } = payload;
    const steps = new Steps(enhanceVideo.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, payload.inputKey));
    try {
      return await withScratch(async (folder) => {
        const started = performance.now();
        const request = { tools, path: file.path, folder, aiPipeline, plan, maxSide };
        const enhanced = await steps.run('enhance', () =>
          enhanceInProcess(request, this.reporter(payload, folder, context), { signal, environment }),
        );
        // A video without noise takes less than planned, by a weaker recipe.
        await this.host.learn(payload, enhanced.recipe, (performance.now() - started) / 1000);
        const keys = await steps.run('store', () => this.storeFiles(payload, folder));
        return resultOf(enhanced, keys, steps.timings);
      });
    } finally {
      await file.release();
    }
  }

  private reporter(payload: Payload, folder: string, { progress, log }: JobContext): (update: VideoUpdate) => void {
    const { fetch, enhance } = PROGRESS_AFTER;
    let previewKeys: PreviewKeys;
    return (update) => {
      if (update.type === 'progress') {
        const { fraction, seconds } = update;
        const running = { until: enhance, seconds, ...(previewKeys && { previewKeys }) };
        progress(fetch + fraction * (enhance - fetch), running);
        return;
      }
      this.storePreview(payload, folder, update.frame).then(
        (keys) => {
          previewKeys = keys;
        },
        (err) => log.warn({ err }, 'the preview could not be stored'),
      );
    };
  }

  private async storePreview({ subjectId, runId }: Payload, folder: string, frame: number): Promise<PreviewKeys> {
    const input = objectKeys.videoPreview(subjectId, runId, frame, 'input');
    const output = objectKeys.videoPreview(subjectId, runId, frame, 'output');
    await this.put(input, folder, FILES.previewInput, 'image/jpeg');
    await this.put(output, folder, FILES.previewOutput, 'image/jpeg');
    return { input, output };
  }

  private async storeFiles({ subjectId, runId }: Payload, folder: string): Promise<Keys> {
    const keys = {
      output: objectKeys.video(subjectId, runId),
      displayInputKey: objectKeys.videoDisplayInput(subjectId, runId),
      posterKey: objectKeys.videoPoster(subjectId, runId),
      thumbnailKey: objectKeys.videoThumbnail(subjectId, runId),
    };
    await this.put(keys.displayInputKey, folder, FILES.displayInput, 'video/mp4');
    await this.put(keys.posterKey, folder, FILES.poster, 'image/jpeg');
    await this.put(keys.thumbnailKey, folder, FILES.thumbnail, 'image/jpeg');
    await this.put(keys.output, folder, FILES.result, 'video/mp4');
    return keys;
  }

  private async put(key: string, folder: string, name: string, contentType: string): Promise<void> {
    await this.store.put(key, createReadStream(join(folder, name)), contentType);
  }
}

interface Keys {
  readonly output: string;
  readonly displayInputKey: string;
  readonly posterKey: string;
  readonly thumbnailKey: string;
}

function resultOf(
  outcome: VideoOutcome,
  { output: key, ...keys }: Keys,
  timings: EnhancedVideo['timings'],
): EnhancedVideo {
  const { width, height, duration, sizeBytes, facesFollowed, facesRestored } = outcome;
  const parts = outcome.timings.map(({ step, ms }) => ({ step: `enhance.${step}`, ms }));
  return {
    output: { key, contentType: 'video/mp4', width, height, duration, sizeBytes },
    ...keys,
    recipe: {
      name: outcome.recipe,
      tools: outcome.tools.map((tool) => SNAKE_CASE[tool]),
      networks: [...outcome.models],
      version: RECIPE_VERSION,
    },
    notes: outcome.notes,
    facesFollowed,
    facesRestored,
    timings: [...timings, ...parts],
  };
}
