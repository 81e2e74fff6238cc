import { createHash, randomUUID } from 'node:crypto';
import { BASE_PATH, objectKeys } from '@clearframe/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { useFileHost } from '../../test/support/file-host.js';
import { refusalOf } from '../../test/support/key-client.js';
import { maskOf, notPictures, picture, pngOf } from '../../test/support/pictures.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';

const { api, owner, client, worker, useWorker, tasks } = useEnhance();
const host = useFileHost();
const form = (headers: Record<string, string> = {}) =>
  api()
    .http.post(`${BASE_PATH}/enhance`)
    .set({ ...client().headers, ...headers });
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const PHOTO = pngOf(60, 40);
const MASK = maskOf(60, 40);
const isStored = async (taskId: string) => (await api().files()).includes(objectKeys.mask(taskId));

describe('a mask', () => {
  useWorker();

  /** What the worker receives of the task. */
  const jobOf = async (taskId: string) => {
    let mask: unknown;
    await worker().end(taskId, (run) => {
      mask = run.mask;
      return worker().finish(run);
    });
    return mask;
  };

  it.each<[string, () => ReturnType<typeof form>]>([
    ['before the picture', () => form().attach('mask', MASK, 'm.png').attach('file', PHOTO, 'a.png')],
    [
      'behind a picture that is the first part',
      () => form().attach('file', PHOTO, 'a.png').attach('mask', MASK, 'm.png'),
    ],
    [
      'between fields and the picture',
      () => form().field('format', 'png').attach('mask', MASK, 'm.png').attach('file', PHOTO, 'a.png'),
    ],
    [
      'beside the address of the picture',
      () => form().field('input_url', host.serve('/photo.png', PHOTO)).attach('mask', MASK, 'm.png'),
    ],
    [
      'beside the address of the picture in the query',
      () =>
        form()
          .query({ input_url: host.serve('/photo.png', PHOTO) })
          .attach('mask', MASK, 'm.png'),
    ],
    ['turned by the picture', () => form().attach('mask', maskOf(40, 60), 'm.png').attach('file', PHOTO, 'a.png')],
    [
      'by address, with a sent picture',
      () => form().field('mask_url', host.serve('/m.png', MASK)).attach('file', PHOTO, 'a.png'),
    ],
  ])('%s is stored with the task, passed to its runs, exported and deleted', async (_where, sending) => {
    const { body } = await sending().expect(202);
    const { task_id: id } = body;
    const [task] = (await owner().get('/users/@me/export').expect(200)).body.tasks;
    const { url, ...mask } = task.mask;
    expect(sha256(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(mask.sha256);
    expect(await jobOf(id)).toEqual({ ...mask, key: objectKeys.mask(id) });
    await until(async () => (await client().get(`/tasks/${id}`)).body.status === 'completed', 'the result');
    await owner()
      .post(`/tasks/bulk-upload/${body.bulk_upload_id}/reprocess`, { input_reprocess_list: [{ client_task_id: id }] })
      .expect(202);
    expect(await jobOf(id)).toEqual({ ...mask, key: objectKeys.mask(id) });
    expect(await isStored(id)).toBe(true);
    await owner()
      .delete('/tasks/delete', { task_ids: [id] })
      .expect(204);
    expect(await isStored(id)).toBe(false);
  });

  it('by address belongs to each picture of a batch, and to /enhance in JSON', async () => {
    const [input_url, mask_url] = [host.serve('/photo.png', PHOTO), host.serve('/mask.png', MASK)];
    const { body } = await client()
      .post('/tasks/bulk-upload', { input_task_list: [{ input_url, mask_url }, { input_url }] })
      .expect(201);
    const [first, second] = body.task_list.map(({ task_id: id }: { task_id: string }) => id);
    // In the order in which they are taken.
    expect(await Promise.all([jobOf(first), jobOf(second)])).toEqual([
      { width: 60, height: 40, sha256: sha256(MASK), key: objectKeys.mask(first) },
      null,
    ]);
    const { body: single } = await client().post('/enhance', { input_url, mask_url }).expect(202);
    expect(await jobOf(single.task_id)).toMatchObject({ sha256: sha256(MASK) });
    expect(await api().sql('SELECT FROM remote_files WHERE input_url IS NOT NULL OR mask_url IS NOT NULL')).toEqual([]);
  });

  describe('by address, of a picture that is sent to its upload address', () => {
    const announce = async (mask_url: string) => {
      const { body } = await client()
        .post('/tasks/bulk-upload', { input_task_list: [{ image_content_type: 'image/png', mask_url }] })
        .expect(201);
      const [{ task_id: id, upload_url, upload_headers }] = body.task_list;
      const put = () => fetch(upload_url, { method: 'PUT', headers: upload_headers, body: new Uint8Array(PHOTO) });
      const process = () => client().post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
      const isFetched = () =>
        until(async () => {
          await retryNow(api());
          return (await api().sql('SELECT FROM remote_files WHERE mask_url IS NOT NULL')).length === 0;
        }, 'the mask to be fetched');
      return { id, put, process, isFetched };
    };

    it('is fetched before the picture comes', async () => {
      const { id, put, process, isFetched } = await announce(host.serve('/m.png', MASK));
      await isFetched();
      await put();
      await process();
      expect(await jobOf(id)).toMatchObject({ sha256: sha256(MASK) });
    });

    it('holds the picture until it comes', async () => {
      const sent = Promise.withResolvers<void>();
      const slow = host.serve('/slow.png', (_request, reply) => void sent.promise.then(() => reply.end(MASK)));
      const { id, put, process, isFetched } = await announce(slow);
      await put();
      const { body } = await process();
      expect(body.task_list[0].status).toBe('uploading');
      sent.resolve();
      await isFetched();
      expect(await jobOf(id)).toMatchObject({ sha256: sha256(MASK) });
    });

    it('ends the task if it is none', async () => {
      const { id, put, isFetched } = await announce(host.serve('/m.pdf', notPictures.pdf));
      await put();
      await isFetched();
      expect((await client().get(`/tasks/${id}`)).body).toMatchObject({
        status: 'invalid',
        error_code: 'masks.not_gray',
      });
      expect((await api().files()).filter((key) => key.endsWith(id))).toEqual([]);
    });

    it('needs a key', async () => {
      const batch = { image_content_type: 'image/png', mask_url: host.serve('/m.png', MASK) };
      expect(await refusalOf(owner().post('/tasks/bulk-upload', batch))).toEqual([403, 'plugin_keys.required']);
    });
  });

  it('is part of a repeated request', async () => {
    const retry = { 'idempotency-key': randomUUID() };
    const send = (mask: Buffer) => form(retry).attach('mask', mask, 'm.png').attach('file', PHOTO, 'a.png');
    const { body } = await send(MASK).expect(202);
    expect((await send(MASK).expect(202)).body.task_id).toBe(body.task_id);
    expect(await refusalOf(send(maskOf(60, 40)))).toEqual([422, 'idempotency.key_reused']);
    await jobOf(body.task_id);
  });

  it('that the worker refuses ends the task, and is deleted with the picture', async () => {
    const { body } = await form().attach('mask', MASK, 'm.png').attach('file', PHOTO, 'a.png').expect(202);
    await worker().end(body.task_id, () => ({ kind: 'invalid', errorCode: 'masks.all_black' }));
    await until(async () => !(await isStored(body.task_id)), 'the mask to be deleted');
    expect((await client().get(`/tasks/${body.task_id}`)).body).toMatchObject({
      status: 'invalid',
      error_code: 'masks.all_black',
    });
  });

  it('at an address that serves none ends its picture of a batch', async () => {
    const [input_url, mask_url] = [host.serve('/photo.png', PHOTO), host.serve('/mask.pdf', notPictures.pdf)];
    const { body } = await client().post('/tasks/bulk-upload', { input_task_list: [{ input_url, mask_url }] });
    const [{ task_id: id }] = body.task_list;
    const task = await until(async () => {
      await retryNow(api());
      const { body: found } = await client().get(`/tasks/${id}`);
      return found.status === 'invalid' && found;
    }, 'the task to end');
    expect(task.error_code).toBe('masks.not_gray');
  });
});

describe('POST /enhance refuses, and keeps nothing of', () => {
  afterEach(async () => {
    expect(await tasks()).toEqual([]);
    expect((await api().files()).filter((key) => /^(?:uploads|masks|inputs)\//.test(key))).toEqual([]);
  });

  it.each<[string, Buffer, [number, string]]>([
    ['no PNG', picture.jpeg(), [422, 'masks.not_gray']],
    ['of less bytes than a header has', Buffer.from('\x89PNG'), [422, 'masks.not_gray']],
    ['without bytes', Buffer.alloc(0), [422, 'masks.not_gray']],
    ['in color', maskOf(60, 40, { colorType: 2 }), [422, 'masks.not_gray']],
    ['with a palette', maskOf(60, 40, { colorType: 3 }), [422, 'masks.not_gray']],
    ['with transparency', maskOf(60, 40, { colorType: 4 }), [422, 'masks.not_gray']],
    ['of 16 bits', maskOf(60, 40, { bits: 16 }), [422, 'masks.not_gray']],
    ['of 1 bit', maskOf(60, 40, { bits: 1 }), [422, 'masks.not_gray']],
    ['of another size', maskOf(61, 40), [422, 'masks.size_mismatch']],
    ['of more than 16 MB', Buffer.concat([MASK, Buffer.alloc(16_000_000)]), [413, 'uploads.too_large']],
  ])('a mask %s, in a form and by address', async (_what, mask, refusal) => {
    const sent = form().attach('mask', mask, 'm.png').attach('file', PHOTO, 'a.png');
    expect(await refusalOf(sent)).toEqual(refusal);
    const behind = form().attach('file', PHOTO, 'a.png').attach('mask', mask, 'm.png');
    expect(await refusalOf(behind)).toEqual(refusal);
    const [input_url, mask_url] = [host.serve('/photo.png', PHOTO), host.serve('/mask.png', mask)];
    expect(await refusalOf(form().field('mask_url', mask_url).attach('file', PHOTO, 'a.png'))).toEqual(refusal);
    expect(await refusalOf(client().post('/enhance', { input_url, mask_url }))).toEqual(refusal);
    expect(await refusalOf(form().field('input_url', input_url).attach('mask', mask, 'm.png'))).toEqual(refusal);
  });

  it('two masks, one without a picture, behind the picture, or by an address that is not allowed', async () => {
    const invalid = [422, 'request.invalid'];
    const [input_url, mask_url] = [host.serve('/photo.png', PHOTO), host.serve('/mask.png', MASK)];
    const two = form().attach('mask', MASK, 'm.png').attach('mask', MASK, 'n.png').attach('file', PHOTO, 'a.png');
    expect(await refusalOf(two)).toEqual(invalid);
    const both = form().field('mask_url', mask_url).attach('mask', MASK, 'm.png').attach('file', PHOTO, 'a.png');
    expect(await refusalOf(both)).toEqual(invalid);
    expect(await refusalOf(form().attach('mask', MASK, 'm.png'))).toEqual([422, 'uploads.empty']);
    const late = form().field('format', 'png').attach('file', PHOTO, 'a.png').attach('mask', MASK, 'm.png');
    expect(await refusalOf(late)).toEqual(invalid);
    const hostile = client().post('/enhance', { input_url, mask_url: 'https://169.254.169.254/mask.png' });
    expect(await refusalOf(hostile)).toEqual([422, 'uploads.address_refused']);
  });

  it('a mask of a picture to analyze', async () => {
    const analysis = api().http.post(`${BASE_PATH}/analyze`).set(client().headers);
    expect(await refusalOf(analysis.attach('mask', MASK, 'm.png').attach('file', PHOTO, 'a.png'))).toEqual([
      422,
      'request.unknown_parameter',
    ]);
  });
});
