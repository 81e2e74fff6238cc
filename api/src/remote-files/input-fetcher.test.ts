import { BASE_PATH } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { useFileHost } from '../../test/support/file-host.js';
import { KeyClient, refusalOf } from '../../test/support/key-client.js';
import { notPictures, picture, pngOf, video } from '../../test/support/pictures.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';

const { api, owner, client, worker, useWorker, tasks, finishOnly } = useEnhance();
const host = useFileHost();
const enhance = (body: object) => client().post('/enhance', body);
const statusOf = async (id: string) => (await client().get(`/tasks/${id}`).expect(200)).body;
const untilStatus = (id: string, status: string) =>
  until(async () => {
    const task = await statusOf(id);
    return task.status === status && task;
  }, `the task to be ${status}`);
/** In the order in which they are taken. */
const finishAll = (...ids: string[]) => Promise.all(ids.map((id) => worker().end(id, (run) => worker().finish(run))));
const idsOf = ({ task_list: list }: { task_list: { task_id: string }[] }) => list.map(({ task_id: id }) => id);

describe('POST /enhance with input_url', () => {
  useWorker();

  it('fetches the picture, names it by its address and enhances it as sent bytes', async () => {
    const bytes = picture.png();
    const address = host.serve('/albums/beach%20day.png', bytes);
    const pipeline = { face_enhance: { model: 'v2' } };
    const { body, headers } = await enhance({ input_url: `${address}?signature=1`, pipeline, format: 'jpeg' }).expect(
      202,
    );
    expect(headers.location).toContain(body.task_id);
    expect(body).toMatchObject({
      status: 'processing',
      ai_pipeline: pipeline,
      output_content_type: 'image/jpeg',
      input: { file_name: 'beach day.png', content_type: 'image/png', size_bytes: bytes.length },
      output_upload: null,
    });
    await worker().end(body.task_id, (run) => worker().finish(run));
  });

  it('takes the JSON values of the description', async () => {
    const values = { jpeg_quality: 100, keep_location: true, pipeline: 'auto', file_name: 'mine.jpg' };
    const { body } = await enhance({ input_url: host.serve('/2', picture.jpeg()), format: 'jpeg', ...values }).expect(
      202,
    );
    expect(body).toMatchObject({ ai_pipeline: { auto: true }, input: { file_name: 'mine.jpg' } });
    await finishAll(body.task_id);
  });

  it('takes the address as a parameter and in a form, and the name of the host', async () => {
    const address = host.serve('/1', (_request, reply) => {
      reply.setHeader('content-disposition', `attachment; filename="x.jpg"; filename*=UTF-8''Stra%C3%9Fe.jpg`);
      reply.end(picture.jpeg());
    });
    const query = `?input_url=${encodeURIComponent(address)}`;
    const { body: asked } = await client().post(`/enhance${query}`).expect(202);
    const form = api().http.post(`${BASE_PATH}/enhance`).set(client().headers);
    const { body: sent } = await form.field('input_url', address).field('file_name', 'mine.jpg').expect(202);
    expect([asked.input.file_name, sent.input.file_name]).toEqual(['Straße.jpg', 'mine.jpg']);
    await finishAll(asked.task_id, sent.task_id);
  });

  it('waits for the result, and starts nothing for a repeated request', async () => {
    const address = host.serve('/photo.jpg', picture.jpeg());
    const retry = { ...client().headers, 'idempotency-key': 'the same', prefer: 'wait=60' };
    const send = () => api().http.post(`${BASE_PATH}/enhance`).set(retry).send({ input_url: address });
    const [result] = await Promise.all([send().buffer(true), finishOnly(picture.png(70_000))]);
    expect([result.status, result.body.length]).toEqual([200, 70_000]);
    expect((await send().buffer(true)).headers['idempotency-replayed']).toBe('true');
    expect(await tasks()).toHaveLength(1);
  });

  it.each([
    ['of a private network', 'http://10.0.0.8/photo.jpg', [422, 'uploads.address_refused']],
    ['of a metadata service', 'https://169.254.169.254/latest/meta-data/', [422, 'uploads.address_refused']],
    ['that are none', 'photo.jpg', [422, 'uploads.address_refused']],
    ['of a name that does not exist', 'https://host.invalid/photo.jpg', [422, 'uploads.address_unreachable']],
  ])('refuses addresses %s at once', async (_case, address, refusal) => {
    expect(await refusalOf(enhance({ input_url: address }))).toEqual(refusal);
    expect(await tasks()).toEqual([]);
  });

  it.each([
    ['redirected inside', 302, Buffer.alloc(0), [422, 'uploads.address_refused']],
    ['missing', 404, picture.jpeg(), [422, 'uploads.address_unreachable']],
    ['no picture', 200, notPictures.pdf, [415, 'uploads.unsupported_type']],
    ['empty', 200, Buffer.alloc(0), [422, 'uploads.empty']],
    ['too many pixels', 200, pngOf(20_000, 20_000), [422, 'uploads.too_many_pixels']],
  ])('refuses a file that is %s, and keeps nothing', async (name, status, bytes, refusal) => {
    const location = { location: 'http://169.254.169.254/latest/meta-data/' };
    const address = host.serve(`/${encodeURIComponent(name)}`, (_request, reply) => {
      reply.writeHead(status, status === 302 ? location : {}).end(bytes);
    });
    expect(await refusalOf(enhance({ input_url: address }))).toEqual(refusal);
    expect(await tasks()).toEqual([]);
    expect((await owner().get('/tasks?status=invalid')).body.data).toEqual([]);
  });

  it('refuses a file that is too large by what it sends', async () => {
    const address = host.serve('/endless.jpg', (_request, reply) => {
      reply.write(picture.jpeg(1_000_000));
      const piece = Buffer.alloc(1_000_000);
      const more = () => {
        while (reply.write(piece));
        reply.once('drain', more);
      };
      more();
    });
    expect(await refusalOf(enhance({ input_url: address }))).toEqual([413, 'uploads.too_large']);
    expect(await tasks()).toEqual([]);
  });

  it('refuses a request with a file and an address, and one without either', async () => {
    const both = api().http.post(`${BASE_PATH}/enhance`).set(client().headers).field('input_url', host.addressOf('/1'));
    expect(await refusalOf(both.attach('file', picture.jpeg(), 'a.jpg'))).toEqual([422, 'request.invalid']);
    expect(await refusalOf(enhance({}))).toEqual([422, 'uploads.empty']);
    expect(await refusalOf(enhance({ input_uri: 'https://host.example/' }))).toEqual([
      422,
      'request.unknown_parameter',
    ]);
  });
});

describe('files of a batch by address', () => {
  useWorker();

  it('start as they arrive, each refused alone', async () => {
    const addresses = [
      host.serve('/1.jpg', picture.jpeg()),
      'https://192.168.0.1/2.jpg',
      host.serve('/3.pdf', notPictures.pdf),
      host.serve('/4.png', picture.png()),
    ];
    const list = addresses.map((address) => ({ input_url: address }));
    const { body } = await client().post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
    const [first = '', second = '', third = '', fourth = ''] = idsOf(body);
    await untilStatus(first, 'processing');
    await untilStatus(fourth, 'processing');
    expect((await untilStatus(second, 'invalid')).error_code).toBe('uploads.address_refused');
    expect((await untilStatus(third, 'invalid')).error_code).toBe('uploads.unsupported_type');
    expect((await api().files()).filter((file) => file.includes(third))).toEqual([]);
    await finishAll(first, fourth);
  });

  it('are asked for again while their host fails, and refused in the end', async () => {
    let asked = 0;
    const failing = host.serve('/failing.jpg', (_request, reply) => {
      asked += 1;
      reply.writeHead(503).end();
    });
    const recovering = host.serve('/recovering.jpg', (_request, reply) => {
      if (asked < 2) reply.destroy();
      else reply.end(picture.jpeg());
    });
    const list = [{ input_url: failing }, { input_url: recovering }];
    const { body } = await client().post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
    const [refused = '', fetched = ''] = idsOf(body);
    const task = await until(async () => {
      await retryNow(api());
      const [ended, started] = [await statusOf(refused), await statusOf(fetched)];
      return ended.status === 'invalid' && started.status === 'processing' && ended;
    }, 'both tasks');
    expect([task.error_code, asked]).toEqual(['uploads.address_unreachable', 3]);
    await worker().end(fetched, (run) => worker().finish(run));
  });

  it('are not fetched once their task is cancelled', async () => {
    const hanging = Promise.withResolvers<void>();
    const address = host.serve('/hanging.jpg', (_request, reply) => {
      hanging.resolve();
      reply.write(picture.jpeg());
    });
    const { body } = await client().post('/tasks/bulk-upload', { input_url: address }).expect(201);
    const [id = ''] = idsOf(body);
    await hanging.promise;
    await client().post(`/tasks/${id}/cancel`).expect(200);
    host.endAll();
    await until(async () => {
      await retryNow(api());
      const waiting = await api().sql('SELECT FROM remote_files WHERE task_id = $1 AND input_url IS NOT NULL', [id]);
      return waiting.length === 0;
    }, 'the fetch to end');
    expect((await statusOf(id)).status).toBe('cancelled');
    expect((await api().files()).filter((file) => file.includes(id))).toEqual([]);
  });

  it('are up to 500, and 15 by a session', async () => {
    const announce = (caller: { post: typeof KeyClient.prototype.post }, count: number) =>
      caller.post('/tasks/bulk-upload', {
        input_task_list: Array.from({ length: count }, () => ({ image_content_type: 'image/jpeg' })),
      });
    const { body } = await announce(client(), 500).expect(201);
    expect(new Set(idsOf(body)).size).toBe(500);
    const more = { input_task_list: [{ image_content_type: 'image/jpeg' }] };
    const added = client().post(`/tasks/bulk-upload/${body.bulk_upload_id}`, more);
    expect(await refusalOf(added)).toEqual([422, 'batch.too_many_files']);
    expect(await refusalOf(announce(owner(), 16))).toEqual([422, 'batch.too_many_files']);
  });

  it('are refused when their key is revoked meanwhile', async () => {
    const revoked = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const address = host.serve('/late.jpg', async (_request, reply) => {
      asked.resolve();
      await revoked.promise;
      reply.end(picture.jpeg());
    });
    const key = await KeyClient.of(api(), owner());
    const { body } = await key.post('/tasks/bulk-upload', { input_url: address }).expect(201);
    await asked.promise;
    await owner().delete(`/plugin-keys/${key.keyId}`).expect(204);
    revoked.resolve();
    const [id = ''] = idsOf(body);
    expect((await untilStatus(id, 'invalid')).error_code).toBe('users.not_authorized');
  });

  it('and results by address are for keys only, and their addresses are not stored as text', async () => {
    const address = host.serve('/secret.jpg', (_request, reply) => reply.writeHead(503).end());
    for (const body of [{ input_url: address }, { image_content_type: 'image/jpeg', output_upload_url: address }])
      expect(await refusalOf(owner().post('/tasks/bulk-upload', body))).toEqual([403, 'plugin_keys.required']);
    const { body } = await client()
      .post('/tasks/bulk-upload', { input_url: address, output_upload_url: address })
      .expect(201);
    const stored = await api().sql('SELECT * FROM remote_files WHERE task_id = $1', [idsOf(body)[0]]);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('secret');
  });
});

it('a video is fetched by its address, checked as one, and starts by itself', async () => {
  const address = host.serve('/clip.mp4', video.mp4());
  const announce = (body: object) => client().post('/video-tasks', body);
  const { body } = await announce({ input_url: address }).expect(201);
  const found = await until(async () => {
    const { body: task } = await client().get(`/video-tasks/${body.video_task_id}`).expect(200);
    return task.status === 'processing' && task;
  }, 'the video to start');
  expect(found.input).toMatchObject({ file_name: 'clip.mp4', content_type: 'video/mp4', size_bytes: 9000 });
  const { body: wrong } = await announce({ input_url: host.serve('/photo.jpg', picture.jpeg()) }).expect(201);
  const refused = await until(async () => {
    const { body: task } = await client().get(`/video-tasks/${wrong.video_task_id}`).expect(200);
    return task.status === 'invalid' && task;
  }, 'the picture to be refused');
  expect(refused.error_code).toBe('uploads.unsupported_type');
  expect(await refusalOf(announce({}))).toEqual([422, 'request.invalid']);
  expect(await refusalOf(owner().post('/video-tasks', { input_url: address }))).toEqual([403, 'plugin_keys.required']);
});
