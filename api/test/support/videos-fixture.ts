import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startApi, type TestApi } from './application.js';
import { Customer } from './billing/customer.js';
import { video } from './pictures.js';
import { until } from './until.js';
import { put, type Visitor, type WireTarget } from './visitor.js';
import { VideoWorker } from './workers/video-worker.js';

export type VideoTarget = Omit<WireTarget, 'task_id'> & { readonly video_task_id: string };

export interface VideosFixture {
  readonly api: TestApi;
  readonly worker: VideoWorker;
  readonly business: Visitor;
}

export function useVideosFixture(): VideosFixture {
  const fixture = {} as { -readonly [Name in keyof VideosFixture]: VideosFixture[Name] };
  beforeAll(async () => {
    fixture.api = await startApi();
  });
  afterAll(() => fixture.api.stop());
  beforeEach(async () => {
    await fixture.api.redis.flushdb();
    await fixture.api.sql('DELETE FROM runs');
    fixture.worker = new VideoWorker(fixture.api);
    fixture.business = await fixture.api.business();
  });
  afterEach(() => fixture.worker.stop());
  return fixture;
}

export async function personalOf(api: TestApi): Promise<Visitor> {
  const customer = await Customer.member(api);
  await customer.subscribe();
  return customer.visitor;
}

export const metadata = { file_name: 'clip.mp4', size: 9_000, duration: 9.6, width: 1280, height: 720 };

export const announceVideo = (visitor: Visitor, input: object = {}, meta: object = {}) =>
  visitor.post('/video-tasks', {
    video_content_type: 'video/mp4',
    eligibility_limits: {},
    video_metadata: { ...metadata, ...meta },
    ...input,
  });

export async function uploadVideo(visitor: Visitor, input: object = {}, bytes = video.mp4()): Promise<VideoTarget> {
  const { body } = await announceVideo(visitor, input, { size: bytes.length }).expect(201);
  const response = await put(body, bytes);
  if (response.status !== 200)
    throw new Error(`the upload responded with ${response.status}: ${await response.text()}`);
  return body;
}

export const processVideo = (visitor: Visitor, id: string) => visitor.post(`/video-tasks/${id}/process`);

export async function startVideo(visitor: Visitor, input: object = {}): Promise<string> {
  const { video_task_id: id } = await uploadVideo(visitor, input);
  await processVideo(visitor, id).expect(202);
  return id;
}

export const videoOf = async (visitor: Visitor, id: string) =>
  (await visitor.get(`/video-tasks/${id}`).expect(200)).body;

export const waitForVideo = (visitor: Visitor, id: string, status: string) =>
  until(async () => {
    const task = await videoOf(visitor, id);
    return task.status === status && task;
  }, `the video ${id} to be ${status}`);

export async function finishVideo(visitor: Visitor, worker: VideoWorker, input: object = {}): Promise<string> {
  const id = await startVideo(visitor, input);
  await worker.end(id);
  await waitForVideo(visitor, id, 'completed');
  return id;
}

export async function usedOf(visitor: Visitor): Promise<[number, number]> {
  const { body } = await visitor.get('/users/@me/video-limits').expect(200);
  return [body.used_size_mb, body.used_length];
}
