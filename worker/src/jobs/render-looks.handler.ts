import { type JobPayload, type JobResult, objectKeys, renderLooks } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { Decoders } from '../decoder/decoders.js';
import { canvasOf, encodeImage } from '../image/encode.js';
import type { PictureMetadata } from '../image/file-metadata.js';
import { Metrics } from '../platform/metrics.js';
import { BASE_SIDE } from '../tools/pipeline/compose.js';
import type { RenderedLook } from '../tools/pipeline/render-looks.js';
import { Enhancer } from './enhancer.js';
import { fetchInput } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { Steps } from './steps.js';

type Payload = JobPayload<typeof renderLooks>;
type Stored = JobResult<typeof renderLooks>['looks'][number];

const PROGRESS_AFTER = { fetch: 0.05, render: 0.9, store: 1 } as const;

@Injectable()
@HandlesJob(renderLooks)
export class RenderLooksHandler implements JobHandler<typeof renderLooks> {
  constructor(
    private readonly store: ObjectStore,
    private readonly decoders: Decoders,
    private readonly enhancer: Enhancer,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<JobResult<typeof renderLooks>> {
    const { signal } = context;
    const steps = new Steps(renderLooks.name, PROGRESS_AFTER, context, this.metrics);
    const base = await steps.run('fetch', () => this.fetch(payload.baseKey, signal));
    const { width, height, rgb, metadata } = base;
    const rendered = await steps.run('render', () =>
      this.enhancer.renderLooks(
        {
          input: { width, height, data: Uint8Array.from(rgb) },
          pipeline: payload.aiPipeline,
          icc: metadata.icc ?? undefined,
        },
        { signal, timeoutMs: renderLooks.timeoutMs },
      ),
    );
    const looks = await steps.run('store', () =>
      Promise.all(rendered.map((look, index) => this.storeLook(payload, look, index, metadata))),
    );
    return { looks };
  }

  private async fetch(key: string, signal: AbortSignal) {
    const file = await fetchInput(this.store, key);
    try {
      return await this.decoders.use(signal, async (decoder) => {
        await decoder.probe(file.path);
        return decoder.decode({ maxSide: BASE_SIDE, keepDepth: false });
      });
    } finally {
      await file.release();
    }
  }

  private async storeLook(
    { subjectId, runId }: Payload,
    { tool, model, raster }: RenderedLook,
    index: number,
    metadata: PictureMetadata,
  ): Promise<Stored> {
    const { width, height, data: rgb } = raster;
    const order = { contentType: 'image/jpeg', jpegQuality: 90 } as const;
    const file = { icc: metadata.icc, exif: null, xmp: null };
    const { bytes } = await encodeImage(canvasOf({ width, height, rgb, alpha: null, metadata }), order, file);
    const key = objectKeys.look(subjectId, runId, index);
    await this.store.put(key, bytes);
    return { tool, model, key, width, height };
  }
}
