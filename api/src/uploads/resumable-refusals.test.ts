import { objectKeys } from '@clearframe/contract';
import { signQuery } from '@clearframe/runtime/storage';
import { describe, expect, it } from 'vitest';
import { pngOf } from '../../test/support/pictures.js';
import { FILE, HALF, SIZE, sha256, useResumableUploads } from '../../test/support/uploads/resumable-uploads.js';
import { patch, startPatch, startTus, tus, tusResponseOf } from '../../test/support/uploads/tus-client.js';

function startAndRead(method: string, url: string, headers: Readonly<Record<string, string | number>>) {
  const sending = startTus(method, url, { 'content-type': 'application/offset+octet-stream', ...headers });
  sending.end();
  return tusResponseOf(sending);
}

describe.each(['disk', 's3'] as const)('a resumable upload to %s', (driver) => {
  const uploads = useResumableUploads(driver);
  const { announce, offsetOf, process, storedKeys } = uploads;

  it('is refused at another offset, for more bytes and for another length', async () => {
    const { resumable_url: url, task_id } = await announce();
    await patch(url, 0, FILE.subarray(0, HALF));
    for (const offset of [0, HALF - 1, HALF + 1, SIZE])
      expect(await patch(url, offset, FILE.subarray(0, 100_000))).toMatchObject({
        status: 409,
        code: 'uploads.wrong_offset',
      });
    const excess = startPatch(url, HALF, SIZE);
    const refusal = tusResponseOf(excess);
    excess.write(FILE.subarray(0, 10));
    expect(await refusal).toMatchObject({ status: 413, code: 'uploads.too_large' });
    excess.destroy();
    expect(await patch(url, HALF, FILE.subarray(HALF), { 'upload-length': SIZE - 1 })).toMatchObject({
      status: 422,
      code: 'uploads.size_mismatch',
    });
    expect(await tus('PATCH', url, { 'content-type': 'text/plain', 'upload-offset': HALF })).toMatchObject({
      status: 400,
      code: 'request.malformed',
    });
    expect(await startAndRead('PATCH', url, { 'tus-resumable': '0.2.2' })).toMatchObject({ status: 400 });
    expect((await tus('HEAD', url)).offset).toBe(HALF);
    expect((await storedKeys(task_id)).length).toBeGreaterThan(0);
  });

  it('is refused for another checksum, and accepts the right bytes then', async () => {
    const announced = await announce({ sha256 });
    const url = announced.resumable_url;
    const changed = Buffer.from(FILE);
    changed[HALF] = (FILE[HALF] ?? 0) ^ 1;
    expect(await patch(url, 0, changed)).toMatchObject({ status: 422, code: 'uploads.checksum_mismatch' });
    expect((await uploads.visitor().task(announced.task_id)).error_code).toBe('uploads.checksum_mismatch');
    expect(await storedKeys(announced.task_id)).toEqual([]);
    expect(await offsetOf(announced)).toBe(0);
    expect(await patch(url, 0, FILE)).toMatchObject({ status: 204, offset: SIZE });
    await process(announced).expect(202);
  });

  it.each([
    [415, 'uploads.unsupported_type', Buffer.alloc(0)],
    [422, 'uploads.too_many_pixels', pngOf(10_001, 10_000)],
  ])('is refused by its first bytes: %s %s', async (status, code, start) => {
    const announced = await announce();
    const sending = startPatch(announced.resumable_url, 0, SIZE);
    const response = tusResponseOf(sending);
    sending.write(Buffer.concat([start, Buffer.alloc(1_500_000, 7)]));
    expect(await response).toMatchObject({ status, code });
    sending.destroy();
    expect((await process(announced).expect(status)).body.error_code).toBe(code);
    expect(await storedKeys(announced.task_id)).toEqual([]);
  });

  it('accepts no bytes once it is finished, cancelled or deleted', async () => {
    const finished = await announce();
    await patch(finished.resumable_url, 0, FILE);
    for (const method of ['PATCH', 'DELETE'])
      expect(await startAndRead(method, finished.resumable_url, { 'upload-offset': SIZE })).toMatchObject({
        status: 409,
        code: 'uploads.closed',
      });
    await process(finished).expect(202);

    const [ended, cancelled, deleted] = [await announce(), await announce(), await announce()];
    for (const { resumable_url } of [ended, cancelled, deleted])
      expect((await patch(resumable_url, 0, FILE.subarray(0, HALF))).status).toBe(204);
    expect((await tus('DELETE', ended.resumable_url)).status).toBe(204);
    expect((await uploads.visitor().task(ended.task_id)).status).toBe('cancelled');
    await uploads.visitor().post(`/tasks/${cancelled.task_id}/cancel`).expect(200);
    await uploads
      .visitor()
      .delete('/tasks/delete', { task_ids: [deleted.task_id] })
      .expect(204);
    for (const [{ task_id, resumable_url }, status] of [
      [ended, 409],
      [cancelled, 409],
      [deleted, 404],
    ] as const) {
      expect(await storedKeys(task_id)).toEqual([]);
      expect((await patch(resumable_url, HALF, FILE.subarray(HALF))).status).toBe(status);
    }
  });

  it('needs the signature of its own address', async () => {
    const [mine, theirs] = [await announce(), await announce()];
    const secret = uploads.api().environment.CLEARFRAME_SIGNING_SECRET ?? '';
    const signed = (expires: number, key: string) => {
      const query = signQuery(secret, 'TUS', key, { expires: String(Math.floor(Date.now() / 1000) + expires) });
      return `${uploads.api().url}/media/resumable/${mine.task_id}?${query}`;
    };
    const addresses = [
      mine.resumable_url.replace(mine.task_id, theirs.task_id),
      mine.resumable_url.replace(/expires=\d+/, 'expires=99999999999'),
      mine.resumable_url.split('?', 1)[0] ?? '',
      signed(60, objectKeys.uploadParts(theirs.task_id)),
    ];
    for (const url of addresses) {
      expect(await patch(url, 0, FILE)).toMatchObject({ status: 403, code: 'uploads.url_invalid' });
      expect((await tus('HEAD', url)).status).toBe(403);
      expect((await tus('DELETE', url)).status).toBe(403);
    }
    expect(await patch(signed(-1, objectKeys.uploadParts(mine.task_id)), 0, FILE)).toMatchObject({
      status: 410,
      code: 'uploads.expired',
    });
    expect((await tus('HEAD', `${uploads.api().url}/media/resumable/x?expires=1&signature=x`)).status).toBe(404);
    expect(await storedKeys(mine.task_id)).toEqual([]);
  });
});
