import { json } from 'node:stream/consumers';
import { type ErrorCode, toWire, User } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { sendJson, sendProblem, startBackend } from '../../../test/backend';
import { contextFor } from '../../../test/context';
import { ADA, newGuestCookie } from '../../../test/users';
import { BULK_UPLOAD_ID, bulkUpload, task } from '../../../test/wire';
import { changeBatch } from './batch-forms.server';

const ids = ['1', '2', '3', '4', '5'].map((digit) => `${digit}f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326`);
const [GOLDEN, TEAL, LIKE_TEAL, FAILED, RUNNING] = ids as [string, string, string, string, string];

const output = (model: string, changes = {}) => ({
  id: crypto.randomUUID(),
  url: 'http://clearframe.test/media/1',
  content_type: 'image/png',
  width: 10,
  height: 10,
  full_size: { width: 10, height: 10, size_bytes: 100 },
  display: null,
  number: 1,
  is_preview: false,
  is_untouched: false,
  keep_location: false,
  has_watermark: false,
  is_encoding: false,
  ai_pipeline: { color_enhance: { model } },
  converted_images: [],
  faces: [],
  recipe: { version: 1, ai_pipeline: {}, models: [] },
  changes: null,
  ...changes,
});
const photo = (task_id: string, status: string, ...outputs: unknown[]) =>
  task({ task_id, status, bulk_upload_size: 5, result: { outputs } });

const EARLIER = output('golden');
const PHOTOS = [
  photo(GOLDEN, 'completed', output('golden')),
  photo(TEAL, 'exported', output('muted', { is_preview: true }), output('teal'), EARLIER),
  photo(LIKE_TEAL, 'completed', output('teal')),
  photo(FAILED, 'failed'),
  photo(RUNNING, 'processing'),
];

async function openBatch(refusals: ErrorCode[] = []) {
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  const backend = await startBackend(async (request, response) => {
    const path = (request.url ?? '').replace('/api/v1/web', '');
    if (path === '/users') return sendJson(response, 201, { access_token: 'token' });
    if (request.method === 'GET')
      return path === '/users/@me'
        ? sendJson(response, 200, toWire(User, ADA))
        : sendJson(response, 200, { ...bulkUpload(), task_list: PHOTOS });
    const body = request.headers['content-type'] ? ((await json(request)) as Record<string, unknown>) : {};
    sent.push({ path, body });
    const refusal = refusals.shift();
    if (refusal) return sendProblem(response, refusal);
    return sendJson(response, path.endsWith('/cancel') ? 200 : 202, path.endsWith('/cancel') ? task() : bulkUpload());
  });
  const context = contextFor(backend.url);
  const cookie = await newGuestCookie(context);
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString();
    const request = new Request(`http://clearframe.test/batch?bulkUploadId=${BULK_UPLOAD_ID}`, {
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(body.length),
      },
      body,
    });
    return changeBatch({ request, context, params: {} });
  };
  return { post, sent };
}

const REPROCESS = `/tasks/bulk-upload/${BULK_UPLOAD_ID}/reprocess`;
const order = (client_task_id: string, model?: string) => ({
  client_task_id,
  preview: false,
  ...(model ? { ai_pipeline: { color_enhance: { model } } } : {}),
});

it('applies a look to finished photos that have another one', async () => {
  const { post, sent } = await openBatch();
  const answer = await post({ intent: 'apply', taskId: TEAL });
  expect(answer).toMatchObject({ status: 303 });
  expect(sent).toEqual([{ path: REPROCESS, body: { input_reprocess_list: [order(GOLDEN, 'teal')] } }]);
});

it('applies the look of the displayed result', async () => {
  const { post, sent } = await openBatch();
  await post({ intent: 'apply', taskId: TEAL, outputId: EARLIER.id });
  expect(sent).toEqual([{ path: REPROCESS, body: { input_reprocess_list: [order(LIKE_TEAL, 'golden')] } }]);
});

it('repeats the order once after a concurrent change of a photo', async () => {
  const { post, sent } = await openBatch(['tasks.wrong_state']);
  expect(await post({ intent: 'apply', taskId: GOLDEN })).toMatchObject({ status: 303 });
  expect(sent).toHaveLength(2);
  const stubborn = await openBatch(['tasks.wrong_state', 'tasks.wrong_state']);
  expect(await stubborn.post({ intent: 'apply', taskId: GOLDEN })).toMatchObject({
    data: { problem: 'tasks.wrong_state' },
    init: { status: 409 },
  });
});

it('says that the plan lacks the look', async () => {
  const { post } = await openBatch(['pipeline.not_in_plan']);
  expect(await post({ intent: 'apply', taskId: GOLDEN })).toMatchObject({
    data: { problem: 'pipeline.not_in_plan', isSameLook: false },
  });
});

it.each([FAILED, RUNNING, 'unknown'])('refuses the look of a photo without a result: %s', async (taskId) => {
  const { post, sent } = await openBatch();
  const fields = { intent: 'apply', taskId: taskId === 'unknown' ? crypto.randomUUID() : taskId };
  expect(await post(fields)).toMatchObject({ data: { problem: 'tasks.wrong_state' } });
  expect(sent).toEqual([]);
});

it('retries failed photos only, with their own tools', async () => {
  const { post, sent } = await openBatch();
  await post({ intent: 'retryAll' });
  await post({ intent: 'retry', taskId: FAILED });
  await post({ intent: 'retry', taskId: GOLDEN });
  expect(sent.map(({ body }) => body)).toEqual([
    { input_reprocess_list: [order(FAILED)] },
    { input_reprocess_list: [order(FAILED)] },
  ]);
});

it('cancels a photo, or leaves one that has just ended', async () => {
  const { post, sent } = await openBatch(['tasks.wrong_state']);
  expect(await post({ intent: 'cancel', taskId: RUNNING })).toMatchObject({ status: 303 });
  expect(sent.map(({ path }) => path)).toEqual([`/tasks/${RUNNING}/cancel`]);
});
