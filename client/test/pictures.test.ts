import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useEnhance } from '../../api/test/support/enhance-fixture.js';
import { useFileHost } from '../../api/test/support/file-host.js';
import { maskOf, notPictures, picture, pngOf } from '../../api/test/support/pictures.js';
import { Clearframe, type ClearframeOptions, type Progress } from '../src/index.ts';
import { finishingAll } from './support/finishing-all.ts';
import { losingAnswers } from './support/lossy-fetch.ts';
import { hasMask } from './support/masks.ts';

const { api, owner, client, worker, useWorker, tasks, onlyTask, finishOnly } = useEnhance();
useWorker();

const clearframe = (options: ClearframeOptions = {}): Clearframe =>
  new Clearframe({ apiKey: client().key, baseUrl: api().url, ...options });
const finish = (taskId: string, bytes?: Buffer) => worker().end(taskId, (run) => worker().finish(run, bytes));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearframe-client-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('enhance', () => {
  it('sends a picture by its path and saves the result whole', async () => {
    const [source, target, bytes] = [join(folder, 'beach.png'), join(folder, 'better.png'), picture.png(90_000)];
    await writeFile(source, picture.png());
    const options = { faces: { model: 'v2', strength: 0.8 }, background: true, format: 'png' } as const;
    const [result] = await Promise.all([clearframe().enhance(source, options), finishOnly(bytes)]);
    const task = await result.task();
    expect(task).toMatchObject({
      task_id: result.taskId,
      status: 'completed',
      input: { file_name: 'beach.png' },
      ai_pipeline: { face_enhance: { model: 'v2', strength: 0.8 }, background_enhance: { model: 'base' } },
    });
    expect(result.headers.get('content-type')).toBe('image/png');
    await result.save(target);
    expect(bytes.equals(await readFile(target))).toBe(true);
    await expect(result.save(target, { overwrite: false })).rejects.toMatchObject({ code: 'EEXIST' });
    expect(Buffer.from(await result.bytes()).equals(bytes)).toBe(true);
    expect(await readdir(folder)).toEqual(['beach.png', 'better.png']);
  });

  it.each([
    [{ color: 'golden' }, { color_enhance: { model: 'golden' } }],
    [{}, { face_enhance: { model: 'base' }, background_enhance: { model: 'base' } }],
    [{ pipeline: 'auto' }, { auto: true }],
  ] as const)('orders the size of the original with %o', async (tools, pipeline) => {
    const task = await clearframe().enhance(picture.png(), { ...tools, outputSize: 'original', wait: false });
    expect(task).toMatchObject({ ai_pipeline: { ...pipeline, output_size: 'original' } });
    await finishOnly(picture.png());
  });

  it('sends a mask beside the picture, once although the answer is lost', async () => {
    const mask = maskOf(60, 40);
    const lossy = clearframe({ fetch: losingAnswers() });
    const options = {
      mask: new Blob([new Uint8Array(mask)]),
      color: 'golden',
      fileName: 'a.png',
      wait: false,
    } as const;
    const { task_id: id } = await lossy.enhance(pngOf(60, 40), options);
    expect(await onlyTask()).toMatchObject({ task_id: id, input: { file_name: 'a.png' } });
    expect(await hasMask(api, id, mask)).toBe(true);
    const byAddress = clearframe().enhance('https://169.254.169.254/a.png', { mask: new Uint8Array(mask) });
    await expect(byAddress).rejects.toMatchObject({ code: 'uploads.address_refused' });
    await finish(id);
  });

  it('answers with the task without waiting, and tells its progress', async () => {
    const steps: Progress[] = [];
    const task = await clearframe().enhance(new Blob([new Uint8Array(picture.png())]), { wait: false });
    expect(task.status).toBe('processing');
    const [result] = await Promise.all([
      clearframe().tasks.result(task.task_id, { onProgress: (progress) => steps.push(progress) }),
      finish(task.task_id),
    ]);
    expect((await result.task()).status).toBe('completed');
    expect(steps.at(-1)).toMatchObject({ phase: 'done', fraction: 1 });
  });

  it('enhances once although each answer is lost once', async () => {
    const bytes = picture.png(70_000);
    const lossy = clearframe({ fetch: losingAnswers() });
    const [result] = await Promise.all([lossy.enhance(picture.png(), { faces: true }), finishOnly(bytes)]);
    expect(Buffer.from(await result.bytes()).equals(bytes)).toBe(true);
    expect(await tasks()).toHaveLength(1);
  });

  it('sends a large picture in parts and goes on where the connection was lost', async () => {
    const sent: number[] = [];
    const original = new Uint8Array(picture.png(9_000_000));
    const onProgress = ({ phase, fraction }: Progress) => phase === 'uploading' && sent.push(fraction);
    const lossy = clearframe({ fetch: losingAnswers() });
    const [result] = await Promise.all([
      lossy.enhance(new File([original], 'large.png'), { color: 'golden', onProgress }),
      finishOnly(picture.png()),
    ]);
    expect(await result.task()).toMatchObject({ input: { file_name: 'large.png', size_bytes: 9_000_000 } });
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(sent.toSorted((a, b) => a - b));
    expect(await tasks()).toHaveLength(1);
  });

  it('names what is wrong, and what to do', async () => {
    await expect(clearframe().enhance(notPictures.pdf)).rejects.toMatchObject({
      name: 'ClearframeError',
      code: 'uploads.unsupported_type',
      status: 415,
      requestId: expect.stringMatching(/.+/),
      remedy: expect.stringContaining('JPEG'),
    });
    await expect(clearframe({ apiKey: 'cfk_wrong' }).me()).rejects.toMatchObject({ code: 'users.not_authorized' });
    const unreachable = clearframe({ baseUrl: 'http://127.0.0.1:9', retrySeconds: 0 });
    await expect(unreachable.me()).rejects.toMatchObject({ code: 'connection.failed', status: null });
    const fail = async () => {
      const { task_id: taskId } = await onlyTask();
      await worker().end(taskId, () => ({ kind: 'invalid', errorCode: 'uploads.undecodable' }));
    };
    const [failed] = await Promise.allSettled([clearframe().enhance(picture.png()), fail()]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'uploads.undecodable' } });
  });

  it('ends with the reason of an abortion', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { task_id: taskId } = await clearframe().enhance(picture.png(), { wait: false });
    const waiting = clearframe().tasks.result(taskId, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await finish(taskId);
  });
});

describe('addresses', () => {
  const host = useFileHost();

  it('bring a picture, and receive its result and its events', async () => {
    const [original, bytes] = [picture.png(), picture.png(80_000)];
    const received = Promise.withResolvers<Buffer>();
    const outputUploadUrl = host.serve('/better.png', async (request, reply) => {
      received.resolve(await buffer(request));
      reply.end();
    });
    const options = { format: 'png', outputUploadUrl, callbackUrl: host.addressOf('/events') } as const;
    const input = new URL(host.serve('/beach.png', original));
    const [result] = await Promise.all([clearframe().enhance(input, options), finishOnly(bytes)]);
    expect((await result.task()).input.size_bytes).toBe(original.length);
    expect(await received.promise).toEqual(bytes);
  });

  it('are pictures of a batch', async () => {
    const inputs = [picture.png(), host.serve('/a.png', picture.png()), new URL(host.serve('/c.pdf', notPictures.pdf))];
    const enhanceAll = async () => {
      const all = [];
      for await (const item of clearframe().batch(inputs, { color: 'teal' })) all.push(item);
      return all;
    };
    const items = await finishingAll({ worker, tasks }, enhanceAll());
    const ended = items.toSorted((a, b) => a.index - b.index).map(({ result, error }) => (result ? 'done' : error));
    expect(ended).toEqual(['done', 'done', expect.objectContaining({ code: 'uploads.unsupported_type' })]);
  });
});

describe('upload tokens', () => {
  it('enhance one picture in a page, with what the server has fixed', async () => {
    const options = {
      faces: { model: 'v2' },
      format: 'png',
      origin: 'https://shop.example',
      expiresInSeconds: 60,
    } as const;
    const { token } = await clearframe().createUploadToken(options);
    await expect(clearframe({ apiKey: token }).enhance(picture.png())).rejects.toMatchObject({
      code: 'upload_tokens.wrong_origin',
    });
    const inPage: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...Object(init?.headers), origin: options.origin } });
    const page = clearframe({ apiKey: token, fetch: inPage });
    // Sent whole: a token is for one request.
    const task = await page.enhance(picture.png(9_000_000), { wait: false });
    expect(task).toMatchObject({ ai_pipeline: { face_enhance: { model: 'v2' } }, output_content_type: 'image/png' });
    const [result] = await Promise.all([page.tasks.result(task.task_id), finish(task.task_id)]);
    expect((await result.bytes()).length).toBeGreaterThan(0);
    await expect(page.enhance(picture.png())).rejects.toMatchObject({ code: 'upload_tokens.used' });
  });
});

describe('upload', () => {
  it('of another process with the same key is the same task, until it has ended in vain', async () => {
    const [file, idempotencyKey] = [picture.png(), randomUUID()];
    const send = () => clearframe().upload(file, { idempotencyKey });
    const first = await send();
    expect((await send()).task_id).toBe(first.task_id);
    await finish(first.task_id);
    expect(await send()).toMatchObject({ task_id: first.task_id, status: 'completed' });
    expect(await clearframe().tasks.delete([first.task_id, randomUUID()])).toHaveLength(1);
    const second = await send();
    expect(second.task_id).not.toBe(first.task_id);
    await worker().end(second.task_id, () => ({ kind: 'invalid', errorCode: 'uploads.undecodable' }));
    const third = await send();
    expect([first.task_id, second.task_id]).not.toContain(third.task_id);
    await finish(third.task_id);
  });
});

describe('batch', () => {
  it('yields each picture as it ends, also one that fails', async () => {
    const inputs = [picture.png(), notPictures.pdf, picture.png()];
    const items = [];
    for await (const item of clearframe().batch(inputs, { faces: true })) {
      items.push(item);
      if (items.length > 1) continue;
      const running = (await tasks()) as { task_id: string }[];
      await Promise.all(running.map(({ task_id: taskId }) => finish(taskId)));
    }
    expect(items.map(({ index, result }) => [index, result !== null]).sort()).toEqual([
      [0, true],
      [1, false],
      [2, true],
    ]);
    expect(items.find(({ index }) => index === 1)?.error).toMatchObject({ code: 'uploads.unsupported_type' });
    const all = await tasks();
    expect(new Set(all.map(({ bulk_upload_id: id }: { bulk_upload_id: string }) => id)).size).toBe(1);
  });
});

describe('usage', () => {
  it('is listed page by page', async () => {
    const { web_user_id: userId } = await owner().me();
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    for (const day of days)
      await api().sql(
        `INSERT INTO key_days (user_id, day, key_id, pictures) SELECT $1, $2, id, 7 FROM plugin_keys WHERE user_id = $1`,
        [userId, day],
      );
    const inSmallPages: typeof fetch = (url, init) => fetch(String(url).replace('limit=1000', 'limit=2'), init);
    const period = { from: '2026-01-01', to: '2026-01-31' };
    const rows: object[] = [];
    for await (const row of clearframe({ fetch: inSmallPages }).usage(period)) rows.push(row);
    expect(rows).toEqual(days.map((day) => expect.objectContaining({ day, pictures: 7, videos: 0, failed: 0 })));
  });
});

describe('tasks', () => {
  it('are listed, processed again and deleted', async () => {
    const { task_id: taskId } = await clearframe().enhance(picture.png(), { wait: false });
    await finish(taskId);
    const [again] = await Promise.all([clearframe().tasks.reprocess(taskId, { color: 'teal' }), finish(taskId)]);
    expect((await again.task()).result.outputs).toHaveLength(2);
    const listed: string[] = [];
    for await (const task of clearframe().tasks.list({ status: ['completed'], mediaType: 'image' }))
      listed.push(task.task_id);
    expect(listed).toEqual([taskId]);
    expect(await clearframe().tasks.delete(taskId)).toEqual([]);
    expect(await tasks()).toEqual([]);
  });
});
