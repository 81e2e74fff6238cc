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
    ['no bytes', { ...JPEG, size_bytes: 0 }, { size_bytes: expect.any(String) }],
    ['half a byte', { ...JPEG, size_bytes: 1.5 }, { size_bytes: expect.any(String) }],
    ['a checksum in capitals', { ...JPEG, sha256: 'A'.repeat(64) }, { sha256: expect.any(String) }],
    ['a short checksum', { ...JPEG, sha256: 'a'.repeat(63) }, { sha256: expect.any(String) }],
    ['an empty name', { ...JPEG, file_name: '  ' }, { file_name: expect.any(String) }],
    ['a long name', { ...JPEG, file_name: 'n'.repeat(256) }, { file_name: expect.any(String) }],
    ['a name with a zero in it', { ...JPEG, file_name: 'a\u0000b.jpg' }, { file_name: expect.any(String) }],
    ['a picture and a list', { ...JPEG, input_task_list: [JPEG] }, { input_task_list: expect.any(String) }],
    ['an empty list', { input_task_list: [] }, { input_task_list: expect.any(String) }],
    [
      'more files than any plan allows',
      { input_task_list: new Array(501).fill(JPEG) },
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

  it.each([
    ['a picture', { ...JPEG, size_bytes: 50_000_001 }],
    ['a picture of a list', { input_task_list: [{ ...JPEG, size_bytes: 2_000_000_000 }] }],
  ])('%s of more than 50 MB is 413', async (_what, body) => {
    expect((await announce(body).expect(413)).body.error_code).toBe('uploads.too_large');
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

it('null is absent', async () => {
  const optional = ['output_content_type', 'ai_pipeline', 'file_name', 'size_bytes', 'sha256', 'jpeg_quality'];
  const nothing = Object.fromEntries([...optional, 'keep_location', 'input_task_list'].map((name) => [name, null]));
  const { body } = await announce({ ...JPEG, ...nothing }).expect(201);
  const { ai_pipeline } = await visitor.task(body.task_list[0].task_id);
  expect(ai_pipeline).toEqual({ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } });
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
