import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { BASE_PATH, MEASURED_TOOLS, objectKeys } from '@clearframe/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';
import { notPictures, picture } from '../../test/support/pictures.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { AnalysisWorker, measured, SOFT_AND_FADED } from '../../test/support/workers/analysis-worker.js';
import { writeObject } from '../../test/support/workers/write-object.js';

let api: TestApi;
let worker: AnalysisWorker;
let client: KeyClient;
beforeAll(async () => {
  api = await startApi();
  client = await KeyClient.of(api, await api.business());
});
afterAll(() => api.stop());
beforeEach(() => {
  worker = new AnalysisWorker(api);
});
afterEach(() => worker.stop());

const BOTH = { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } };
const post = (headers: Record<string, string>) => api.http.post(`${BASE_PATH}/analyze`).set(headers);
const send = (bytes: Buffer, headers = client.headers) =>
  post({ ...headers, 'content-type': 'image/jpeg' }).send(bytes);
const bearerOf = (visitor: Visitor) => ({ authorization: `Bearer ${visitor.token}` });

/** Files, runs and rows that an analysis leaves. */
async function leftovers(): Promise<unknown[]> {
  const runs = await api.sql(`SELECT id FROM runs WHERE kind = 'image.analyze'`);
  const rows = await api.sql(`SELECT subject FROM pending_deletions WHERE kind = 'analysis'`);
  return [...(await api.files()), ...runs, ...rows];
}

describe('POST /analyze', () => {
  it('measures the bytes of a picture, suggests a pipeline with its result, and keeps nothing', async () => {
    await api.sql(
      `INSERT INTO run_durations (queue, kind, size_class, seconds, samples)
       VALUES ('images', 'image.enhance', 1, 3, 9), ('images', 'image.enhance', 2, 5, 9)`,
    );
    const { body } = await send(picture.jpeg()).expect(200);
    expect(body).toEqual({
      width: 1500,
      height: 1000,
      content_type: 'image/jpeg',
      monochrome: false,
      faded: true,
      damage: null,
      blur: 0.5,
      noise: 0.02,
      compression: 0,
      light: 0.5,
      faces: [
        { box: { x: 150, y: 200, width: 450, height: 300 }, size: 40, sharpness: 0.089 },
        { box: { x: 900, y: 200, width: 300, height: 200 }, size: 90, sharpness: 0.3 },
      ],
      suggested_pipeline: { ...BOTH, fade: { model: 'base' } },
      estimate: { width: 1500, height: 1000, seconds: 5 },
    });
    expect(worker.taken).toEqual([
      expect.objectContaining({ aiPipeline: MEASURED_TOOLS, maxSide: 2048, faceDetectorMaxInput: 800 }),
    ]);
    expect(await leftovers()).toEqual([]);
    expect((await client.get('/tasks').expect(200)).body.data).toEqual([]);
  });

  it('takes a form, and a guest’s picture with the tools of the plan', async () => {
    const guest = await api.guest();
    const { body } = await post(bearerOf(guest)).attach('file', picture.png(), 'beach.png').expect(200);
    expect(body.suggested_pipeline).toEqual({ ...BOTH, fade: { model: 'base' } });
    const [status, code] = await refusalOf(
      post(bearerOf(guest)).field('format', 'png').attach('file', picture.png(), 'beach.png'),
    );
    expect([status, code]).toEqual([422, 'request.unknown_parameter']);
    expect(await leftovers()).toEqual([]);
  });

  it('names the size of an enlarged and of a reduced result, and no tool for a picture that needs none', async () => {
    worker.outcome = measured(SOFT_AND_FADED, 300, 200);
    expect((await send(picture.jpeg()).expect(200)).body.estimate).toMatchObject({ width: 1024, height: 683 });
    worker.outcome = measured(SOFT_AND_FADED, 6000, 4000);
    expect((await send(picture.jpeg()).expect(200)).body.estimate).toMatchObject({ width: 2048, height: 1365 });
    worker.outcome = measured({ ...SOFT_AND_FADED, need: 0, faces: [], isFaded: false });
    expect((await send(picture.jpeg()).expect(200)).body).toMatchObject({
      suggested_pipeline: {},
      estimate: { width: 1500, height: 1000, seconds: null },
    });
  });

  it('tells the damage that was found, which asks for no tool', async () => {
    worker.outcome = measured({ ...SOFT_AND_FADED, damage: { area: 0.0123, shapes: ['lines'] } });
    const { body } = await send(picture.jpeg()).expect(200);
    expect(body.damage).toEqual({ area: 0.0123, kinds: ['lines'] });
    expect(body.suggested_pipeline).toEqual({ ...BOTH, fade: { model: 'base' } });
  });

  it('refuses what is no picture before and after it is decoded, and keeps nothing', async () => {
    expect(await refusalOf(send(notPictures.pdf))).toEqual([415, 'uploads.unsupported_type']);
    expect(await refusalOf(send(Buffer.alloc(0)))).toEqual([422, 'uploads.empty']);
    expect(worker.taken).toEqual([]);
    worker.outcome = { kind: 'invalid', errorCode: 'uploads.undecodable' };
    expect(await refusalOf(send(picture.jpeg()))).toEqual([422, 'uploads.undecodable']);
    worker.outcome = { kind: 'failed', errorCode: 'tasks.failed' };
    expect(await refusalOf(send(picture.jpeg()))).toEqual([500, 'tasks.failed']);
    expect(await refusalOf(api.http.post(`${BASE_PATH}/analyze`).send(picture.jpeg()))).toEqual([
      401,
      'users.not_authorized',
    ]);
    expect(await leftovers()).toEqual([]);
  });

  it('stops when the client has gone, and keeps nothing', async () => {
    worker.outcome = null;
    const sending = request(`${api.url}${BASE_PATH}/analyze`, {
      method: 'POST',
      headers: { ...client.headers, 'content-type': 'image/jpeg' },
    });
    sending.on('error', () => undefined);
    sending.end(picture.jpeg());
    await until(() => worker.taken.length > 0, 'the worker to take the analysis');
    sending.destroy();
    await until(async () => (await leftovers()).length === 0, 'the picture to be deleted');
  });

  it('deletes later what a process left that was killed', async () => {
    const id = randomUUID();
    const left = [objectKeys.input(id), objectKeys.report(id, randomUUID())];
    for (const key of left) await writeObject(api, key, picture.jpeg());
    await api.sql(
      `INSERT INTO pending_deletions (kind, subject, created_at) VALUES ('analysis', $1, now() - interval '40 minutes')`,
      [id],
    );
    await runScheduled(api, 'analyses.');
    expect(await api.files()).toEqual(left.toSorted());
    await api.sql(`UPDATE pending_deletions SET created_at = now() - interval '46 minutes' WHERE subject = $1`, [id]);
    await runScheduled(api, 'analyses.');
    expect(await leftovers()).toEqual([]);
  });
});

it('limits analyses of one caller and of one address', async () => {
  const limited = await startApi({ API_ROLE: 'http', LIMIT_ANALYSES_PER_MINUTE: '1' });
  const analyze = async (visitor: Visitor) =>
    refusalOf(
      limited.http
        .post(`${BASE_PATH}/analyze`)
        .set({ ...bearerOf(visitor), 'content-type': 'image/jpeg' })
        .send(notPictures.pdf),
    );
  try {
    expect(await analyze(await limited.guest())).toEqual([415, 'uploads.unsupported_type']);
    expect(await analyze(await limited.guest())).toEqual([429, 'request.rate_limited']);
  } finally {
    await limited.stop();
  }
});
