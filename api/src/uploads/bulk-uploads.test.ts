import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import type { Visitor } from '../../test/support/visitor.js';

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
      is_exported: false,
      is_test: false,
      output_upload: null,
      export_state: 'none',
      has_watermark: false,
      input_url: null,
      output_url: null,
      output_content_type: 'image/jpeg',
      display: {
        input_url: null,
        input_medium_url: null,
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

  it('takes auto as the tools of the plan that a worker can choose from', async () => {
    const { task_id } = await visitor.announce({ ai_pipeline: 'auto' });
    expect((await visitor.task(task_id)).ai_pipeline).toEqual({
      auto: true,
      face_enhance: { model: 'base' },
      background_enhance: { model: 'base' },
      fade: { model: 'base' },
    });
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

describe('what a guest may not use is 403', () => {
  it.each<[string, object, string]>([
    ['PNG', { output_content_type: 'image/png' }, 'outputs.format_not_in_plan'],
    ['TIFF', { output_content_type: 'image/tiff' }, 'outputs.format_not_in_plan'],
    ['a better face model', { ai_pipeline: { face_enhance: { model: 'v2' } } }, 'pipeline.not_in_plan'],
    ['a better background', { ai_pipeline: { background_enhance: { model: 'v1' } } }, 'pipeline.not_in_plan'],
    ['bokeh by preset', { ai_pipeline: { bokeh: { model: 'low' } } }, 'pipeline.not_in_plan'],
    ['bokeh by hand', { ai_pipeline: { bokeh: { aperture: 0, highlights: 0, vivid: 0 } } }, 'pipeline.not_in_plan'],
    ['colors', { ai_pipeline: { color_enhance: { model: 'teal' } } }, 'pipeline.not_in_plan'],
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
