import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startApi, type TestApi } from '../application.js';
import type { Visitor } from '../visitor.js';
import { HandWorker } from './hand-worker.js';
import { RenderWorker } from './render-worker.js';

/** What every test about results works with; renewed for each. */
export interface ResultRoom {
  readonly api: TestApi;
  readonly worker: HandWorker;
  readonly renders: RenderWorker;
  readonly guest: Visitor;
  readonly business: Visitor;
}

/** An application with both halves of the worker and two visitors, for the tests of a file. Look into it inside of them. */
export function useResultRoom(): ResultRoom {
  const room = {} as { -readonly [Name in keyof ResultRoom]: ResultRoom[Name] };
  beforeAll(async () => {
    room.api = await startApi();
  });
  afterAll(() => room.api.stop());
  beforeEach(async () => {
    const { api } = room;
    await api.redis.flushdb();
    await api.sql('TRUNCATE bulk_uploads CASCADE');
    await api.sql('DELETE FROM runs');
    room.worker = new HandWorker(api);
    room.renders = new RenderWorker(api);
    await room.worker.start();
    room.guest = await api.guest();
    room.business = await api.business();
  });
  afterEach(async () => {
    await room.renders.stop();
    await room.worker.stop();
  });
  return room;
}
