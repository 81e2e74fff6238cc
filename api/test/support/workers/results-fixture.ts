import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startApi, type TestApi } from '../application.js';
import type { Visitor } from '../visitor.js';
import { ManualWorker } from './manual-worker.js';
import { RenderWorker } from './render-worker.js';

export interface ResultsFixture {
  readonly api: TestApi;
  readonly worker: ManualWorker;
  readonly renders: RenderWorker;
  readonly guest: Visitor;
  readonly business: Visitor;
}

export function useResultsFixture(): ResultsFixture {
  const fixture = {} as { -readonly [Name in keyof ResultsFixture]: ResultsFixture[Name] };
  beforeAll(async () => {
    fixture.api = await startApi();
  });
  afterAll(() => fixture.api.stop());
  beforeEach(async () => {
    const { api } = fixture;
    await api.redis.flushdb();
    await api.sql('TRUNCATE bulk_uploads CASCADE');
    await api.sql('DELETE FROM runs');
    fixture.renders = new RenderWorker(api);
    fixture.worker = new ManualWorker(api, fixture.renders);
    await fixture.worker.start();
    fixture.guest = await api.guest();
    fixture.business = await api.business();
  });
  afterEach(async () => {
    await fixture.renders.stop();
    await fixture.worker.stop();
  });
  return fixture;
}
