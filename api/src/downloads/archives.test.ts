import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { BASE_PATH } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { describe, expect, it, vi } from 'vitest';
import { picture } from '../../test/support/pictures.js';
import { setFree } from '../../test/support/rights.js';
import { until } from '../../test/support/until.js';
import { put, type Visitor, type WireTarget } from '../../test/support/visitor.js';
import { createFinishedTask, waitForFiles, waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const archiveOf = (bulkUploadId: string) => `/tasks/bulk-upload/${bulkUploadId}/archive`;
const getArchive = (visitor: Visitor, bulkUploadId: string) => getZip(visitor, archiveOf(bulkUploadId));
const getZip = (visitor: Visitor, path: string) =>
  visitor
    .get(path)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });

function filesIn(zip: Buffer): { name: string; bytes: Buffer }[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [check, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)];
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(from, from + size);
    expect(crc32(bytes)).toBe(check);
    at += 46 + nameLength + extraLength;
    return { name, bytes };
  });
}

describe('the archive of an upload', () => {
  it('contains every result under a unique name', async () => {
    const named = (file_name: string) => ({ image_content_type: 'image/jpeg', file_name });
    const { body } = await fixture.business
      .post('/tasks/bulk-upload', { input_task_list: [named('me.jpg'), named('ME.JPG'), named('../Ünï/é? <1>.heic')] })
      .expect(201);
    const targets: WireTarget[] = body.task_list;
    for (const target of targets) await put(target, picture.jpeg());
    await fixture.business.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
    for (const { task_id } of targets) {
      await fixture.worker.end(task_id, (run) => fixture.worker.finish(run));
      await waitForStatus(fixture.business, task_id, 'completed');
    }
    const response = await getArchive(fixture.business, body.bulk_upload_id).expect(200);
    expect(response.headers['content-type']).toBe('application/zip');
    expect(response.headers['content-disposition']).toMatch(/^attachment; filename="clearframe-[0-9a-f]{8}\.zip"$/);
    expect(response.headers['cache-control']).toBe('no-store');
    const files = filesIn(response.body);
    expect(files.map(({ name }) => name)).toEqual([
      'me-clearframe.png',
      'ME-clearframe (2).png',
      '__Ünï_é_ _1_-clearframe.png',
    ]);
    const { output_url } = await fixture.business.task(targets[0]?.task_id ?? '');
    expect(files[0]?.bytes).toEqual(Buffer.from(await (await fetch(output_url)).arrayBuffer()));
  });

  it('has the format that is asked for, as the plan allows', async () => {
    const { bulk_upload_id } = await createFinishedTask(fixture.business, fixture.worker);
    const inFormat = async (format: { output_content_type: string; jpeg_quality?: string }) => {
      const path = `${archiveOf(bulk_upload_id)}?${new URLSearchParams(format)}`;
      expect((await fixture.business.get(path).expect(503)).headers['retry-after']).toBeDefined();
      const order = { ...format, ...(format.jpeg_quality && { jpeg_quality: Number(format.jpeg_quality) }) };
      const prepare = () => fixture.business.post(archiveOf(bulk_upload_id), order);
      expect((await prepare().expect(202)).body.bulk_upload_id).toBe(bulk_upload_id);
      await until(async () => (await prepare()).status === 200, 'the files');
      return filesIn((await getZip(fixture.business, path).expect(200)).body)[0]?.name;
    };
    expect(await inFormat({ output_content_type: 'image/jpeg', jpeg_quality: '100' })).toBe('picture-clearframe.jpg');
    expect(fixture.renders.orders.map(({ rendition }) => rendition.jpegQuality)).toEqual([100]);
    expect(await inFormat({ output_content_type: 'image/tiff' })).toBe('picture-clearframe.tif');
    const refused = async (visitor: Visitor, id: string, format: string) => {
      const { body } = await visitor.get(`${archiveOf(id)}?output_content_type=${format}`);
      const prepared = await visitor.post(archiveOf(id), { output_content_type: format });
      expect(prepared.body.error_code).toBe(body.error_code);
      return body.error_code;
    };
    expect(await refused(fixture.business, bulk_upload_id, 'image/bmp')).toBe('outputs.format_not_available');
    const own = await createFinishedTask(fixture.guest, fixture.worker);
    expect(await refused(fixture.guest, own.bulk_upload_id, 'image/png')).toBe('outputs.format_not_in_plan');
  });

  it('contains the files that a guest may download', async () => {
    const { bulk_upload_id, task_id } = await createFinishedTask(fixture.guest, fixture.worker);
    const [file] = filesIn((await getArchive(fixture.guest, bulk_upload_id).expect(200)).body);
    const { output_url } = await fixture.guest.task(task_id);
    expect(file?.name).toBe('picture-clearframe.jpg');
    expect(file?.bytes).toEqual(Buffer.from(await (await fetch(output_url)).arrayBuffer()));
  });

  it('contains the result, not a later preview', async () => {
    const { bulk_upload_id, task_id } = await createFinishedTask(fixture.business, fixture.worker);
    const preview = { client_task_id: task_id, ai_pipeline: { color_enhance: { model: 'teal' } }, preview: true };
    await fixture.business
      .post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, { input_reprocess_list: [preview] })
      .expect(202);
    await fixture.worker.end(task_id, (run) => fixture.worker.finish(run));
    const { result } = await waitForStatus(fixture.business, task_id, 'completed');
    const [file] = filesIn((await getArchive(fixture.business, bulk_upload_id).expect(200)).body);
    expect(file?.bytes).toEqual(Buffer.from(await (await fetch(result.outputs[1].url)).arrayBuffer()));
  });

  it('of fifteen pictures with a broken one contains the other fourteen in their order', async () => {
    const list = Array.from({ length: 15 }, (_, index) => ({
      image_content_type: 'image/jpeg',
      file_name: `${String(15 - index).padStart(2, '0')}.jpg`,
    }));
    const { body } = await fixture.business.post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
    const targets: WireTarget[] = body.task_list;
    for (const target of targets) await put(target, picture.jpeg());
    await fixture.business.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
    const namesOf = async () =>
      filesIn((await getArchive(fixture.business, body.bulk_upload_id).expect(200)).body).map(({ name }) => name);
    const [broken, running] = [targets[6]?.task_id, targets[14]?.task_id];
    for (const { task_id } of targets.slice(0, 14)) {
      await fixture.worker.end(task_id, (run) =>
        task_id === broken ? { kind: 'invalid', errorCode: 'uploads.undecodable' } : fixture.worker.finish(run),
      );
      await waitForStatus(fixture.business, task_id, task_id === broken ? 'invalid' : 'completed');
    }
    const expected = list
      .filter((_, index) => index !== 6)
      .map(({ file_name }) => file_name.replace('.jpg', '-clearframe.png'));
    expect(await namesOf()).toEqual(expected.slice(0, 13));
    await fixture.worker.end(running ?? '', (run) => fixture.worker.finish(run));
    await waitForStatus(fixture.business, running ?? '', 'completed');
    const store = fixture.api.app.get(ObjectStore, { strict: false });
    const read = store.read.bind(store);
    const [open, counts] = [new Set<Readable>(), new Set<number>()];
    const spy = vi.spyOn(store, 'read').mockImplementation(async (...input) => {
      const source = await read(...input);
      counts.add(open.add(source).size);
      return source.once('end', () => open.delete(source));
    });
    expect(await namesOf()).toEqual(expected);
    // One file after the other.
    expect([...counts]).toEqual([1]);
    spy.mockRestore();
    const { body: bulk } = await fixture.business.get(`/tasks/bulk-upload/${body.bulk_upload_id}`).expect(200);
    expect(bulk.status).toBe('completed');
  });

  it('is refused while files for a changed plan are encoded, and then holds all of them', async () => {
    const named = (file_name: string) => ({ image_content_type: 'image/jpeg', file_name });
    const { body } = await fixture.business
      .post('/tasks/bulk-upload', { input_task_list: [named('a.jpg'), named('b.jpg')] })
      .expect(201);
    const targets: WireTarget[] = body.task_list;
    for (const target of targets) await put(target, picture.jpeg());
    await fixture.business.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`).expect(202);
    for (const { task_id } of targets) {
      await fixture.worker.end(task_id, (run) => fixture.worker.finish(run));
      await waitForStatus(fixture.business, task_id, 'completed');
    }
    const release = fixture.renders.hold();
    await setFree(fixture.api, fixture.business, false);
    const { headers } = await fixture.business.get(archiveOf(body.bulk_upload_id)).expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    release();
    for (const { task_id } of targets) await waitForFiles(fixture.business, task_id);
    const files = filesIn((await getArchive(fixture.business, body.bulk_upload_id).expect(200)).body);
    expect(files.map(({ name }) => name)).toEqual(['a-clearframe.jpg', 'b-clearframe.jpg']);
  });

  it('is rejected when it would be empty, and for other users', async () => {
    const { bulk_upload_id } = await fixture.guest.process();
    expect((await fixture.guest.get(archiveOf(bulk_upload_id)).expect(409)).body.error_code).toBe('tasks.wrong_state');
    expect((await fixture.business.get(archiveOf(bulk_upload_id)).expect(404)).body.error_code).toBe(
      'bulk_uploads.not_found',
    );
    await fixture.guest.get(archiveOf(randomUUID())).expect(404);
    await fixture.guest.get(archiveOf('x')).expect(404);
  });
});

describe('the archive of chosen tasks', () => {
  const chosen = (...ids: string[]) => `/tasks/archive?${ids.map((id) => `task_ids=${id}`).join('&')}`;

  it('contains those with a result, in the requested order', async () => {
    const named = (file_name: string) => createFinishedTask(fixture.business, fixture.worker, { file_name });
    const [first, second] = [await named('a.jpg'), await named('b.jpg')];
    await named('not-chosen.jpg');
    const waiting = await fixture.business.announce();
    const path = chosen(second.task_id, waiting.task_id, first.task_id, second.task_id);
    const response = await getZip(fixture.business, path).expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="clearframe-photos.zip"',
      'cache-control': 'no-store',
    });
    const files = filesIn(response.body);
    expect(files.map(({ name }) => name)).toEqual(['b-clearframe.png', 'a-clearframe.png']);
    for (const [index, { task_id }] of [second, first].entries()) {
      const { output_url } = await fixture.business.task(task_id);
      expect(files[index]?.bytes).toEqual(Buffer.from(await (await fetch(output_url)).arrayBuffer()));
    }
  });

  it('is rejected without a result, for other users’ tasks and for too many', async () => {
    const { task_id: theirs } = await createFinishedTask(fixture.business, fixture.worker);
    const { task_id: running } = await fixture.guest.process();
    for (const [path, status, code] of [
      [chosen(running), 409, 'tasks.wrong_state'],
      [chosen(running, theirs), 404, 'tasks.not_found'],
      [chosen(randomUUID()), 404, 'tasks.not_found'],
      ['/tasks/archive', 422, 'request.invalid'],
      [chosen('x'), 422, 'request.invalid'],
      [chosen(...Array.from({ length: 101 }, () => randomUUID())), 422, 'request.invalid'],
    ] as const) {
      const { body } = await fixture.guest.get(path).expect(status);
      expect(body.error_code).toBe(code);
    }
    await fixture.api.http.get(`${BASE_PATH}${chosen(running)}`).expect(401);
  });
});
