import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { BASE_PATH, TIME_LIMIT_MARGIN_MS, TIME_LIMITS } from '@clearframe/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { refusalOf } from '../../test/support/key-client.js';
import { notPictures, picture, pngOf } from '../../test/support/pictures.js';
import { until } from '../../test/support/until.js';

const FACES = { face_enhance: { model: 'v2' } };
const PIPELINE = JSON.stringify(FACES);
const WAIT = { prefer: 'wait=60' };
const FORM_X = 'multipart/form-data; boundary=x';
const FIELD_X = '--x\r\ncontent-disposition: form-data; name="format"\r\n\r\njpeg\r\n';
const FILE_X = '--x\r\ncontent-disposition: form-data; name="f"; filename="a.jpg"\r\n\r\n';
const { api, owner, client, worker, useWorker, send, tasks, onlyTask, finishOnly } = useEnhance();
const sendForm = (headers: Record<string, string> = {}) =>
  api()
    .http.post(`${BASE_PATH}/enhance`)
    .set({ ...client().headers, ...headers });
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('POST /enhance', () => {
  it('starts a task from raw bytes, and tells where it is', async () => {
    const bytes = picture.jpeg(200_000);
    const query = `?pipeline=${encodeURIComponent(PIPELINE)}&format=tiff&file_name=beach.jpg&keep_location=true`;
    const { body, headers } = await send(bytes, query).expect(202);
    expect(headers.location).toBe(`${api().environment.PUBLIC_URL}${BASE_PATH}/tasks/${body.task_id}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('preference-applied');
    expect(body).toMatchObject({
      status: 'processing',
      ai_pipeline: FACES,
      output_content_type: 'image/tiff',
      keep_location: true,
      input: { file_name: 'beach.jpg', content_type: 'image/jpeg', size_bytes: bytes.length, sha256: sha256(bytes) },
    });
    await client().get(`/tasks/${body.task_id}`).expect(200);
  });

  it('takes the options by the names of an upload, and the defaults of the plan', async () => {
    const query = `?ai_pipeline=${encodeURIComponent(PIPELINE)}&output_content_type=image/jpeg&jpeg_quality=100`;
    const { body } = await send(picture.png(), query).expect(202);
    expect(body).toMatchObject({ ai_pipeline: FACES, output_content_type: 'image/jpeg' });
    // The bytes decide.
    expect(body.input).toMatchObject({ content_type: 'image/png', file_name: null });
    const { body: plain } = await send(picture.jpeg(), '', { 'content-type': 'application/octet-stream' }).expect(202);
    expect(plain.output_content_type).toBe('image/png');
    expect(Object.keys(plain.ai_pipeline).sort()).toEqual(['background_enhance', 'face_enhance']);
  });

  it('starts a task from a form that begins with the file', async () => {
    const { body } = await sendForm()
      .attach('file', picture.jpeg(), 'beach.jpg')
      .field('pipeline', PIPELINE)
      .field('format', 'jpeg')
      .expect(202);
    expect(body).toMatchObject({
      ai_pipeline: JSON.parse(PIPELINE),
      output_content_type: 'image/jpeg',
      input: { file_name: 'beach.jpg', size_bytes: picture.jpeg().length },
    });
  });

  it('starts a task from a form, whose fields count more than the query', async () => {
    const { body } = await sendForm()
      .query({ format: 'png' })
      .field('pipeline', PIPELINE)
      .field('format', 'jpeg')
      .attach('photo', picture.jpeg(), { filename: 'grandma.jpg', contentType: 'image/jpeg' })
      .expect(202);
    expect(body).toMatchObject({ ai_pipeline: FACES, output_content_type: 'image/jpeg' });
    expect(body.input.file_name).toBe('grandma.jpg');
  });

  it('is for keys, not for sessions', async () => {
    const sent = owner().post('/enhance').set('content-type', 'image/jpeg').send(picture.jpeg());
    expect(await refusalOf(sent)).toEqual([403, 'plugin_keys.required']);
    expect(await refusalOf(api().http.post(`${BASE_PATH}/enhance`).send({}))).toEqual([401, 'users.not_authorized']);
  });
});

describe('POST /enhance with Prefer: wait', () => {
  useWorker();

  it('answers with the finished bytes', async () => {
    const result = picture.png(90_000);
    const [response] = await Promise.all([
      send(picture.jpeg(), '?file_name=beach.jpg', WAIT).buffer(true),
      finishOnly(result),
    ]);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(result.length),
      'preference-applied': 'wait=60',
      location: expect.stringContaining(`${BASE_PATH}/tasks/`),
      'content-disposition': expect.stringContaining('beach'),
      'cache-control': 'no-store',
    });
    expect(sha256(response.body)).toBe(sha256(result));
  });

  it('lets the worker choose from the tools of the plan, and then names those that it applied', async () => {
    const { body } = await send(picture.jpeg(), '?pipeline=auto').expect(202);
    const faces = { face_enhance: { model: 'base' } };
    const candidates = {
      ...faces,
      background_enhance: { model: 'base' },
      fade: { model: 'base' },
      color_enhance: { model: 'balanced' },
    };
    expect(body.ai_pipeline).toEqual({ auto: true, ...candidates });
    await worker().end(body.task_id, (run) =>
      worker().finish({ ...run, aiPipeline: { faceEnhance: { model: 'base' } } }),
    );
    const shown = await until(async () => {
      const { body: task } = await client().get(`/tasks/${body.task_id}`).expect(200);
      return task.status === 'completed' && task;
    }, 'the result');
    expect([shown.ai_pipeline, shown.result.outputs[0].ai_pipeline]).toEqual([faces, faces]);
  });

  const face = { box: { x: 1, y: 2, width: 3, height: 4 }, confidence: 0.9, restored: true };
  it.each([
    ['no face', [], { 'x-clearframe-faces': '0', 'x-clearframe-changed': 'true' }],
    [
      'three faces',
      [0.91, 0.87, null].map((identitySimilarity) => ({ ...face, identitySimilarity })),
      { 'x-clearframe-faces': '3', 'x-clearframe-least-similarity': '0.87', 'x-clearframe-changed': 'true' },
    ],
    ['nothing to enhance', null, { 'x-clearframe-faces': '1', 'x-clearframe-changed': 'false' }],
  ])('says in headers what was done: %s', async (_what, faces, expected) => {
    const finish = async () => {
      const { task_id: taskId } = await onlyTask();
      await worker().end(taskId, async (run) => {
        const changes = faces ? {} : ({ isUntouched: true } as const);
        const outcome = await worker().finish(run, picture.png(), { width: 640, height: 480 }, changes);
        if (outcome.kind !== 'completed' || !faces) return outcome;
        return { ...outcome, result: { ...outcome.result, faces } };
      });
      return taskId;
    };
    const [{ headers }, taskId] = await Promise.all([send(picture.jpeg(), '', WAIT).expect(200), finish()]);
    expect(headers).toMatchObject({
      ...expected,
      'x-clearframe-task-id': taskId,
      'x-clearframe-width': '640',
      'x-clearframe-height': '480',
      'x-clearframe-seconds': expect.stringMatching(/^\d+(\.\d)?$/),
    });
    const others = Object.keys(headers).filter((name) => name === 'x-clearframe-least-similarity');
    expect(others).toHaveLength('x-clearframe-least-similarity' in expected ? 1 : 0);
  });

  it('hands strengths of single faces and the least similarity to the worker', async () => {
    const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.3 };
    const faces = [
      { index: 0, strength: 0.5 },
      { box, strength: 0 },
    ];
    const pipeline = { face_enhance: { model: 'v2', faces, min_identity_similarity: 0.8 } };
    const query = `?pipeline=${encodeURIComponent(JSON.stringify(pipeline))}`;
    const { body } = await send(picture.jpeg(), query).expect(202);
    expect(body.ai_pipeline).toEqual(pipeline);
    await worker().end(body.task_id, (run) => {
      expect(run.aiPipeline).toEqual({ faceEnhance: { model: 'v2', faces, minIdentitySimilarity: 0.8 } });
      return worker().finish(run, picture.jpeg(), undefined, { unmatchedFaces: [1] });
    });
    const shown = await until(async () => {
      const { body: task } = await client().get(`/tasks/${body.task_id}`).expect(200);
      return task.status === 'completed' && task;
    }, 'the result');
    expect(shown.result.outputs[0].recipe).toMatchObject({ ai_pipeline: pipeline, unmatched_faces: [1] });
  });

  it('answers 202 with the task when the time is over', async () => {
    const { body, headers } = await send(picture.jpeg(), '', { prefer: 'respond-async, wait=0' }).expect(202);
    expect(headers['preference-applied']).toBe('wait=0');
    expect(body.status).toBe('processing');
    expect(headers.location).toContain(body.task_id);
    await worker().end(body.task_id, (run) => worker().finish(run));
  });

  it('waits at most a minute, and no connection is closed before', async () => {
    const { timeout } = api().app.getHttpServer();
    expect(timeout).toBeGreaterThanOrEqual(TIME_LIMITS.silence.wait + TIME_LIMIT_MARGIN_MS);
    const [response] = await Promise.all([
      send(picture.jpeg(), '', { prefer: 'wait=86400' }),
      finishOnly(picture.png()),
    ]);
    expect(response.headers['preference-applied']).toBe('wait=60');
  });

  it('answers with the reason of a failure', async () => {
    const fail = async () => {
      const { task_id: taskId } = await onlyTask();
      await worker().end(taskId, () => ({ kind: 'invalid', errorCode: 'uploads.undecodable' }));
    };
    const [response] = await Promise.all([send(picture.jpeg(), '', WAIT), fail()]);
    expect([response.status, response.body.error_code]).toEqual([422, 'uploads.undecodable']);
  });
});

describe('POST /enhance refuses, and keeps nothing of', () => {
  afterEach(async () => {
    expect(await tasks()).toEqual([]);
    expect((await api().files()).filter((key) => key.startsWith('uploads/'))).toEqual([]);
  });

  it.each<[string, () => Buffer, string, [number, string]]>([
    ['bytes of no picture', () => notPictures.pdf, '', [415, 'uploads.unsupported_type']],
    ['a video', () => notPictures.mp4, '', [415, 'uploads.unsupported_type']],
    [
      'a face without a strength',
      () => picture.jpeg(),
      '?pipeline={"face_enhance":{"model":"base","faces":[{"index":0}]}}',
      [422, 'request.invalid'],
    ],
    [
      'a face with a box without an extent',
      () => picture.jpeg(),
      '?pipeline={"face_enhance":{"model":"base","faces":[{"strength":1,"box":{"x":0,"y":0,"width":0,"height":9}}]}}',
      [422, 'request.invalid'],
    ],
    [
      'a similarity over 1',
      () => picture.jpeg(),
      '?pipeline={"face_enhance":{"model":"base","min_identity_similarity":70}}',
      [422, 'request.invalid'],
    ],
    ['an unknown format', () => picture.jpeg(), '?format=gif', [422, 'outputs.format_not_available']],
    ['a pipeline that is no JSON', () => picture.jpeg(), '?pipeline=faces', [422, 'request.invalid']],
    ['an unknown tool', () => picture.jpeg(), '?pipeline={"teeth":{}}', [422, 'request.invalid']],
    [
      'an unknown member of a tool',
      () => picture.jpeg(),
      '?pipeline={"face_enhance":{"model":"v2","strenght":1}}',
      [422, 'request.invalid'],
    ],
    ['an invalid quality', () => picture.jpeg(), '?jpeg_quality=80', [422, 'request.invalid']],
    ['more than 50 MB', () => picture.jpeg(50_000_001), '', [413, 'uploads.too_large']],
    ['more than 100 megapixels', () => pngOf(10_001, 10_000), '', [422, 'uploads.too_many_pixels']],
    ['an unknown parameter', () => picture.jpeg(), '?formatt=png', [422, 'request.unknown_parameter']],
  ])('%s', async (_what, bytes, query, refusal) => {
    expect(await refusalOf(send(bytes(), query))).toEqual(refusal);
  });

  it('nothing', async () => {
    expect(await refusalOf(send(Buffer.alloc(0)))).toEqual([422, 'uploads.empty']);
    expect(await refusalOf(client().post('/enhance', {}))).toEqual([422, 'uploads.empty']);
  });

  it('a form without a file, with fields before and behind it, or with two', async () => {
    const file = () => sendForm().attach('file', picture.jpeg(), 'a.jpg');
    expect(await refusalOf(sendForm().field('format', 'png'))).toEqual([422, 'request.invalid']);
    const late = await sendForm()
      .field('jpeg_quality', '90')
      .attach('file', picture.jpeg(), 'a.jpg')
      .field('format', 'png');
    expect([late.status, late.body.details]).toEqual([422, { format: 'Must be sent before the file' }]);
    expect(await refusalOf(file().attach('other', picture.jpeg(), 'b.jpg'))).toEqual([422, 'request.invalid']);
  });

  it('a form with an unacceptable file or field', async () => {
    const html = sendForm().attach('file', notPictures.html, { filename: 'a.jpg', contentType: 'image/jpeg' });
    expect(await refusalOf(html)).toEqual([415, 'uploads.unsupported_type']);
    const large = sendForm().attach('file', picture.jpeg(50_000_001), 'a.jpg');
    expect(await refusalOf(large)).toEqual([413, 'uploads.too_large']);
    const unknown = await sendForm().field('ai_pipelin', PIPELINE).attach('file', picture.jpeg(3_000_000), 'a.jpg');
    expect([unknown.status, unknown.body.error_code]).toEqual([422, 'request.unknown_parameter']);
    expect(unknown.body).toMatchObject({
      error_description: 'Unknown parameters: ai_pipelin',
      details: { ai_pipelin: 'Unknown name' },
    });
    const wrong = sendForm().field('format', 'gif').attach('file', picture.jpeg(3_000_000), 'a.jpg');
    expect(await refusalOf(wrong)).toEqual([422, 'outputs.format_not_available']);
  });

  it.each(['with the length of its body', 'in chunks'])(
    'a form of more than 50 MB, %s, before it has arrived',
    async (how) => {
      const headers = {
        ...client().headers,
        'content-type': FORM_X,
        ...(how === 'in chunks' ? { 'transfer-encoding': 'chunked' } : { 'content-length': 700_000_000 }),
      };
      const sending = request(`${api().url}${BASE_PATH}/enhance`, { method: 'POST', headers, agent: false });
      sending.on('error', () => undefined);
      const answered = once(sending, 'response');
      sending.write(FILE_X);
      // Never ends.
      if (how === 'in chunks') {
        sending.write(picture.jpeg());
        for (let sent = 0; sent < 52; sent++) sending.write(Buffer.alloc(1_000_000, 7));
      }
      const [response] = await answered;
      expect([response.statusCode, JSON.parse(await text(response)).error_code]).toEqual([413, 'uploads.too_large']);
      sending.destroy();
    },
  );

  it.each<[string, string, string[]]>([
    ['bytes', 'image/png', []],
    ['the first part of a form', FORM_X, [FILE_X]],
    ['the last part of a form', FORM_X, [FIELD_X, FILE_X]],
  ])('more than 100 megapixels as %s, before it has arrived', async (_where, type, before) => {
    const headers = { ...client().headers, 'content-type': type, 'content-length': 20_000_000 };
    const sending = request(`${api().url}${BASE_PATH}/enhance`, { method: 'POST', headers, agent: false });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response');
    for (const part of before) sending.write(part);
    // Never ends.
    sending.write(pngOf(10_001, 10_000));
    const [response] = await answered;
    expect([response.statusCode, JSON.parse(await text(response)).error_code]).toEqual([
      422,
      'uploads.too_many_pixels',
    ]);
    sending.destroy();
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=x'])('a damaged form (%s)', async (type) => {
    expect(await refusalOf(send(picture.jpeg(), '', { 'content-type': type }))).toEqual([400, 'request.malformed']);
  });

  it.each(['image/jpeg', 'multipart/form-data; boundary=x'])('an interrupted request (%s)', async (type) => {
    const headers = { ...client().headers, 'content-type': type, 'content-length': 100_000 };
    const sending = request(`${api().url}${BASE_PATH}/enhance`, { method: 'POST', headers, agent: false });
    const isClosed = new Promise((resolve) => sending.once('close', resolve));
    sending.on('error', () => undefined);
    if (type.startsWith('multipart')) {
      sending.write(FIELD_X);
      sending.write(FILE_X);
    }
    sending.write(picture.jpeg(20_000));
    const count = async () =>
      (await api().sql('SELECT FROM tasks WHERE user_id = $1', [(await owner().me()).web_user_id])).length;
    await until(async () => (await count()) === 1, 'the upload to begin');
    sending.destroy();
    await isClosed;
    await until(async () => (await count()) === 0, 'the task to be deleted');
  });
});
