import type { Recipe } from '@clearframe/contract';
import type { TestApi } from '../application.js';
import { ManualWorker } from '../workers/manual-worker.js';
import { RenderWorker } from '../workers/render-worker.js';
import { createFinishedTask } from '../workers/results.js';
import type { Customer } from './customer.js';

export class PictureFactory {
  readonly worker: ManualWorker;
  readonly renders: RenderWorker;

  private constructor(readonly api: TestApi) {
    this.renders = new RenderWorker(api);
    this.worker = new ManualWorker(api, this.renders);
  }

  static async open(api: TestApi): Promise<PictureFactory> {
    const factory = new PictureFactory(api);
    await factory.worker.start();
    return factory;
  }

  async picture({ visitor }: Customer, recipe: Partial<Recipe> = {}): Promise<string> {
    return (await createFinishedTask(visitor, this.worker, {}, { recipe })).task_id;
  }

  async pictures(customer: Customer, count: number): Promise<string[]> {
    const original = await this.picture(customer);
    return [original, ...(await this.copies(original, customer, count - 1))];
  }

  async copies(original: string, customer: Customer, count: number): Promise<string[]> {
    const userId = await customer.userId();
    const copies = await this.api.sql<{ id: string }>(
      `WITH upload AS (INSERT INTO bulk_uploads VALUES (gen_random_uuid(), $2, now()) RETURNING id)
       INSERT INTO tasks (id, bulk_upload_id, user_id, position, status, ai_pipeline, output_content_type, jpeg_quality,
         content_type, run_id, rendition, outputs, created_at, expires_at)
       SELECT gen_random_uuid(), upload.id, $2, n, status, ai_pipeline, output_content_type, jpeg_quality,
         content_type, run_id, rendition, outputs, t.created_at, expires_at
       FROM tasks t, upload, generate_series(1, $3) n WHERE t.id = $1 RETURNING id`,
      [original, userId, count],
    );
    return copies.map(({ id }) => id);
  }

  async close(): Promise<void> {
    await this.renders.stop();
    await this.worker.stop();
  }
}
