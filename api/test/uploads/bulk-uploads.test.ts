import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/application.js';
import type { Visitor } from '../support/visitor.js';

let api: TestApi;
let visitor: Visitor;
beforeAll(async () => {
  api = await startApi();
  visitor = await api.guest();
});
afterAll(() => api.stop());

const JPEG = { image_content_type: 'image/jpeg' };
const announce = (body: object) => visitor.post('/tasks/bulk-upload', body);

describe('announcing a picture', () => {
  it('returns the upload URL', async () => {
    const { body, headers } = await announce(JPEG).expect(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(['bulk_upload_id', 'status', 'task_list']);
    expect(body.status).toBe('started');
    expect(body.task_list).toHaveLength(1);
    expect(Object.keys(body.task_list[0]).sort()).toEqual([
      'resumable_url',
      'status',
      'task_id',
      'upload_headers',
      'upload_url',
    ]);
  });

  it('fills in defaults', async () => {
    const { bulk_upload_id, task_id } = await visitor.announce();
    const task = await visitor.task(task_id);
    expect(task).toEqual({
      task_id,
      bulk_upload_id,
      bulk_upload_size: 1,
      sharing: null,
      status: 'started',
      progress: 0,
      file_progress: 0,
      queue_wait_num: null,
      remaining_seconds: null,
      media_type: 'image',
      ai_pipeline: { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } },
      keep_location: false,
      has_watermark: false,
      input_url: null,
      output_url: null,
      output_content_type: 'image/jpeg',
      display: {
        input_url: null,
        output_url: null,
        thumbnail_url: null,
        input_thumbnail_url: null,
        width: null,
        height: null,
      },
      input: {
        file_name: null,
        content_type: 'image/jpeg',
        width: null,
        height: null,
        duration: null,
        size_bytes: null,
        sha256: null,
        converted_images: [],
      },
      result: { outputs: [] },
      error_code: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: expect.any(String),
    });
    expect(Date.parse(task.expires_at) - Date.parse(task.created_at)).toBe(24 * 3_600_000);
  });

  it('keeps an empty pipeline', async () => {
    const { task_id } = await visitor.announce({ ai_pipeline: {} });
    expect((await visitor.task(task_id)).ai_pipeline).toEqual({});
  });

  it('accepts the list form, too', async () => {
    const { body } = await announce({ input_task_list: [{ ...JPEG, file_name: '  été 🌞.jpg ' }] }).expect(201);
    expect((await visitor.task(body.task_list[0].task_id)).input.file_name).toBe('été 🌞.jpg');
  });

  it('drops unknown keys', async () => {
    await announce({ ...JPEG, is_admin: true, user_id: 'another-user' }).expect(201);
  });

  it('shows the upload and its task in one response, in wire names', async () => {
    const { bulk_upload_id, task_id } = await visitor.announce({ ai_pipeline: { face_enhance: { model: 'base' } } });
    const { body } = await visitor.get(`/tasks/bulk-upload/${bulk_upload_id}`).expect(200);
    expect(body).toMatchObject({
      bulk_upload_id,
      status: 'started',
      task_list: [{ task_id }],
      input_task_list: [{ task_id }],
    });
    const names = [...JSON.stringify(body).matchAll(/"([^"]+)":/g)].map(([, name]) => name ?? '');
    expect(names.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  });
});

describe('an invalid announcement is 422 and names the field', () => {
  const unknown = 'Unknown name';
  it.each<[string, object, Record<string, unknown>]>([
    ['nothing', {}, { image_content_type: expect.any(String) }],
    ['an unknown type', { image_content_type: 'image/gif' }, { image_content_type: expect.any(String) }],
    ['a type that is none', { image_content_type: 7 }, { image_content_type: expect.any(String) }],
    ['an unknown tool', { ...JPEG, ai_pipeline: { bogus: {} } }, { 'ai_pipeline.bogus': unknown }],
    [
      'a tool in camel case',
      { ...JPEG, ai_pipeline: { faceEnhance: { model: 'base' } } },
      { 'ai_pipeline.face_enhance': unknown },
    ],
    [
      'an unknown model',
      { ...JPEG, ai_pipeline: { face_enhance: { model: 'v9' } } },
      { 'ai_pipeline.face_enhance.model': expect.any(String) },
    ],
    [
      'an unknown setting',
      { ...JPEG, ai_pipeline: { face_enhance: { model: 'base', size: 2 } } },
      { 'ai_pipeline.face_enhance.size': unknown },
    ],
    [
      'too much strength',
      { ...JPEG, ai_pipeline: { face_enhance: { model: 'base', strength: 1.1 } } },
      { 'ai_pipeline.face_enhance.strength': expect.any(String) },
    ],
    ['half a bokeh', { ...JPEG, ai_pipeline: { bokeh: { aperture: 1 } } }, { 'ai_pipeline.bokeh': expect.any(String) }],
    ['a pipeline that is none', { ...JPEG, ai_pipeline: 'all' }, { ai_pipeline: expect.any(String) }],
    ['another JPEG quality', { ...JPEG, jpeg_quality: 80 }, { jpeg_quality: expect.any(String) }],
    ['more than 50 MB', { ...JPEG, size_bytes: 50_000_001 }, { size_bytes: expect.any(String) }],
    ['no bytes', { ...JPEG, size_bytes: 0 }, { size_bytes: expect.any(String) }],
    ['half a byte', { ...JPEG, size_bytes: 1.5 }, { size_bytes: expect.any(String) }],
    ['a checksum in capitals', { ...JPEG, sha256: 'A'.repeat(64) }, { sha256: expect.any(String) }],
    ['a short checksum', { ...JPEG, sha256: 'a'.repeat(63) }, { sha256: expect.any(String) }],
    ['an empty name', { ...JPEG, file_name: '  ' }, { file_name: expect.any(String) }],
    ['a long name', { ...JPEG, file_name: 'n'.repeat(256) }, { file_name: expect.any(String) }],
    ['a name with a zero in it', { ...JPEG, file_name: 'a\u0000b.jpg' }, { file_name: expect.any(String) }],
    ['an empty list', { input_task_list: [] }, { input_task_list: expect.any(String) }],
    [
      'more files than any plan allows',
      { input_task_list: new Array(101).fill(JPEG) },
      { input_task_list: expect.any(String) },
    ],
    [
      'a bad file in a list',
      { input_task_list: [JPEG, { image_content_type: 'x' }] },
      { 'input_task_list.1.image_content_type': expect.any(String) },
    ],
    [
      'an unknown tool in a list',
      { input_task_list: [{ ...JPEG, ai_pipeline: { zoom: 1 } }] },
      { 'input_task_list.0.ai_pipeline.zoom': unknown },
    ],
  ])('%s', async (_what, body, details) => {
    const response = await announce(body).expect(422);
    expect(response.body).toMatchObject({ error_code: 'request.invalid', status: 422 });
    expect(response.body.details).toEqual(details);
  });

  it('an unknown output format is named', async () => {
    const { body } = await announce({ ...JPEG, output_content_type: 'image/bmp' }).expect(422);
    expect(body).toMatchObject({
      error_code: 'outputs.format_not_available',
      error_description: 'Output format not available: image/bmp',
      details: { output_content_type: 'Output format not available: image/bmp' },
    });
  });
});

describe('an unreadable body is 400', () => {
  it.each(['{', '[]', '"text"', '12', '{"image_content_type": "image/jpeg"', '{"__proto__": {"a": 1}}'])(
    '%s',
    async (text) => {
      const { body } = await visitor
        .post('/tasks/bulk-upload')
        .set('Content-Type', 'application/json')
        .send(text)
        .expect(400);
      expect(body.error_code).toBe('request.malformed');
    },
  );

  it('one above a megabyte is 413', async () => {
    const { body } = await announce({ ...JPEG, file_name: 'n'.repeat(1_000_001) }).expect(413);
    expect(body.error_code).toBe('request.too_large');
  });

  it('one of another media type is 415', async () => {
    const { body } = await visitor.post('/tasks/bulk-upload').set('Content-Type', 'text/csv').send('a,b').expect(415);
    expect(body.error_code).toBe('request.unsupported_media_type');
  });
});

describe('what a guest may not use is 403', () => {
  it.each<[string, object, string]>([
    ['PNG', { output_content_type: 'image/png' }, 'outputs.format_not_in_plan'],
    ['TIFF', { output_content_type: 'image/tiff' }, 'outputs.format_not_in_plan'],
    ['a better face model', { ai_pipeline: { face_enhance: { model: 'v2' } } }, 'pipeline.not_in_plan'],
    ['a better background', { ai_pipeline: { background_enhance: { model: 'v1' } } }, 'pipeline.not_in_plan'],
    ['bokeh by preset', { ai_pipeline: { bokeh: { model: 'low' } } }, 'pipeline.not_in_plan'],
    ['bokeh by hand', { ai_pipeline: { bokeh: { aperture: 0, highlights: 0, vivid: 0 } } }, 'pipeline.not_in_plan'],
    ['colours', { ai_pipeline: { color_enhance: { model: 'teal' } } }, 'pipeline.not_in_plan'],
  ])('%s', async (_what, extra, code) => {
    const { body } = await announce({ ...JPEG, ...extra }).expect(403);
    expect(body.error_code).toBe(code);
  });

  it('names the locked tool', async () => {
    const { body } = await announce({ ...JPEG, ai_pipeline: { face_lifting: { model: 'glam' } } }).expect(403);
    expect(body.details).toEqual({ tool: 'face_lifting' });
  });

  it('several pictures, in one request or one by one', async () => {
    const { body } = await announce({ input_task_list: [JPEG, JPEG] }).expect(403);
    expect(body.error_code).toBe('batch.not_in_plan');
    const { bulk_upload_id } = await visitor.announce();
    await visitor.post(`/tasks/bulk-upload/${bulk_upload_id}`, { input_task_list: [JPEG] }).expect(403);
  });
});

describe('what belongs to another user does not exist', () => {
  it.each(['get', 'post'] as const)('an upload (%s)', async (method) => {
    const { bulk_upload_id } = await visitor.announce();
    const otherUser = await api.guest();
    const path = `/tasks/bulk-upload/${bulk_upload_id}`;
    const response = await (method === 'get' ? otherUser.get(path) : otherUser.post(`${path}/process`));
    expect([response.status, response.body.error_code]).toEqual([404, 'bulk_uploads.not_found']);
    await otherUser.post(path, { input_task_list: [JPEG] }).expect(404);
  });

  it('a task', async () => {
    const { task_id } = await visitor.upload();
    const otherUser = await api.guest();
    for (const response of [
      await otherUser.get(`/tasks/${task_id}`),
      await otherUser.post(`/tasks/${task_id}/cancel`),
    ]) {
      expect([response.status, response.body.error_code]).toEqual([404, 'tasks.not_found']);
    }
  });

  it.each(['x', '123', "'%20OR%201=1", '%00', 'ffffffff-ffff-ffff-ffff-fffffffffffff'])(
    'an invalid id: %s',
    async (id) => {
      await visitor.get(`/tasks/${id}`).expect(404);
      await visitor.get(`/tasks/bulk-upload/${id}`).expect(404);
      await visitor.post(`/tasks/bulk-upload/${id}/process`).expect(404);
      await visitor.post(`/tasks/${id}/cancel`).expect(404);
    },
  );

  it('without a token it is 401 first', async () => {
    await api.http.get(`${BASE_PATH}/tasks/x`).expect(401);
  });
});
