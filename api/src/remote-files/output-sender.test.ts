import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { useFileHost } from '../../test/support/file-host.js';
import { refusalOf } from '../../test/support/key-client.js';
import { picture } from '../../test/support/pictures.js';
import { retryNow, runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';

const { api, client, worker, useWorker, tasks } = useEnhance();
const host = useFileHost();
const RESULT = picture.png(70_000);

interface Received {
  readonly method: string | undefined;
  readonly type: string | undefined;
  readonly length: string | undefined;
  readonly bytes: Buffer;
}

/** A store that answers each PUT by the next status, and by the last again. */
function storeAt(path: string, ...statuses: number[]) {
  const received: Received[] = [];
  const address = host.serve(path, async (request, reply) => {
    const { method, headers } = request;
    const bytes = await buffer(request);
    received.push({ method, type: headers['content-type'], length: headers['content-length'], bytes });
    reply.writeHead(statuses[Math.min(received.length, statuses.length) - 1] ?? 200).end();
  });
  return { address: `${address}?X-Amz-Signature=secret`, received };
}

async function enhanceTo(address: string): Promise<string> {
  const body = { input_url: host.serve('/photo.jpg', picture.jpeg()), output_upload_url: address, format: 'png' };
  const { body: task } = await client().post('/enhance', body).expect(202);
  expect(task.output_upload).toEqual({ status: 'waiting', error_code: null });
  return task.task_id;
}

const finish = (id: string) => worker().end(id, (run) => worker().finish(run, RESULT));

const endOf = (id: string) =>
  until(async () => {
    await retryNow(api());
    const { body } = await client().get(`/tasks/${id}`).expect(200);
    return body.output_upload.status !== 'waiting' && body.output_upload;
  }, 'the result to be sent');

describe('output_upload_url', () => {
  useWorker();

  it('receives the finished file once, by a PUT that stores accept', async () => {
    const { address, received } = storeAt('/result.png');
    const id = await enhanceTo(address);
    await finish(id);
    expect(await endOf(id)).toEqual({ status: 'completed', error_code: null });
    await runScheduled(api(), 'remote_files.send');
    expect(received).toMatchObject([{ method: 'PUT', type: 'image/png', length: String(RESULT.length) }]);
    expect(received[0]?.bytes.equals(RESULT)).toBe(true);
    expect(await api().sql('SELECT output_url FROM remote_files WHERE task_id = $1', [id])).toEqual([
      { output_url: null },
    ]);
  });

  it('is tried again while its host fails', async () => {
    const { address, received } = storeAt('/recovering.png', 500, 503, 429, 200);
    const id = await enhanceTo(address);
    await finish(id);
    expect(await endOf(id)).toEqual({ status: 'completed', error_code: null });
    expect(received).toHaveLength(4);
  });

  it('is given up after an hour of attempts, and at once when the host refuses; the result stays', async () => {
    const failing = storeAt('/failing.png', 500);
    const refusing = storeAt('/refusing.png', 403);
    const ids = [await enhanceTo(failing.address), await enhanceTo(refusing.address)];
    for (const id of ids) {
      await finish(id);
      expect(await endOf(id)).toEqual({ status: 'failed', error_code: 'uploads.address_unreachable' });
      expect((await fetch((await client().get(`/tasks/${id}`)).body.output_url)).status).toBe(200);
    }
    expect([failing.received.length, refusing.received.length]).toEqual([12, 1]);
  });

  it('is not followed elsewhere', async () => {
    const { address, received } = storeAt('/elsewhere.png');
    const redirect = host.serve('/redirect.png', (request, reply) => {
      request.resume();
      reply.writeHead(307, { location: address }).end();
    });
    const id = await enhanceTo(redirect);
    await finish(id);
    expect(await endOf(id)).toEqual({ status: 'failed', error_code: 'uploads.address_unreachable' });
    expect(received).toEqual([]);
  });

  it('receives nothing of a task that fails, and says why', async () => {
    const { address, received } = storeAt('/never.png');
    const id = await enhanceTo(address);
    await worker().end(id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
    expect(await endOf(id)).toEqual({ status: 'failed', error_code: 'tasks.failed' });
    expect(received).toEqual([]);
  });

  it('is refused at once when it is not allowed', async () => {
    const body = { input_url: host.serve('/photo.jpg', picture.jpeg()), output_upload_url: 'https://10.0.0.8/secret' };
    expect(await refusalOf(client().post('/enhance', body))).toEqual([422, 'uploads.address_refused']);
    expect(await tasks()).toEqual([]);
  });
});
