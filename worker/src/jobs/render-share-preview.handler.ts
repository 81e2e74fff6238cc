import { type JobPayload, objectKeys, renderSharePreview, type StoredImage } from '@clearframe/contract';
import { type LocalFile, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { encodeSharePreview } from '../image/share-preview.js';
import { Metrics } from '../platform/metrics.js';
import { fetchInput, storeImage } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { Steps } from './steps.js';

type Payload = JobPayload<typeof renderSharePreview>;

const PROGRESS_AFTER = { fetch: 0.2, encode: 0.9, store: 1 } as const;

@Injectable()
@HandlesJob(renderSharePreview)
export class RenderSharePreviewHandler implements JobHandler<typeof renderSharePreview> {
  constructor(
    private readonly store: ObjectStore,
    private readonly metrics: Metrics,
  ) {}

  async handle({ subjectId, runId, beforeKey, afterKey, focus }: Payload, context: JobContext): Promise<StoredImage> {
    const steps = new Steps(renderSharePreview.name, PROGRESS_AFTER, context, this.metrics);
    const files: LocalFile[] = [];
    const fetch = async (key: string): Promise<string> => {
      const file = await fetchInput(this.store, key);
      files.push(file);
      return file.path;
    };
    try {
      const [before, after] = await steps.run('fetch', async () => [await fetch(beforeKey), await fetch(afterKey)]);
      const encoded = await steps.run('encode', () => encodeSharePreview(before, after, focus));
      return await steps.run('store', () => storeImage(this.store, objectKeys.sharePreview(subjectId, runId), encoded));
    } finally {
      for (const file of files) await file.release();
    }
  }
}
