import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ARCHIVE_PART, BASE_PATH } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { describe, expect, it, vi } from 'vitest';
import { KeyClient } from '../../test/support/key-client.js';
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

describe('the archive of a large upload in parts', () => {
  const COUNT = ARCHIVE_PART.maxPictures + 2;

  /** One picture is enhanced; the others have its result. */
  async function finishedBatch(client: KeyClient): Promise<string> {
    const list = Array.from({ length: COUNT }, () => ({ image_content_type: 'image/jpeg', file_name: 'same.jpg' }));
    const { body } = await client.post('/tasks/bulk-upload', { input_task_list: list }).expect(201);
    const [first]: WireTarget[] = body.task_list;
    if (!first) throw new Error('no task');
    await put(first, picture.jpeg());
    await client.post(`/tasks/bulk-upload/${body.bulk_upload_id}/process`, { task_ids: [first.task_id] }).expect(202);
    await fixture.worker.end(first.task_id, (run) => fixture.worker.finish(run));
    await waitForStatus(fixture.business, first.task_id, 'completed');
    await fixture.api.sql(
      `UPDATE tasks SET status = 'completed', outputs = done.outputs FROM tasks done
       WHERE done.id = $1 AND tasks.bulk_upload_id = done.bulk_upload_id AND tasks.id <> done.id`,
      [first.task_id],
    );
    return body.bulk_upload_id;
  }

  it('is listed with names, sizes and addresses, and holds each result once', async () => {
    const client = await KeyClient.of(fixture.api, fixture.business);
    const id = await finishedBatch(client);
    const { data: parts } = (await client.get(`${archiveOf(id)}/parts`).expect(200)).body;
    const sizeBytes = picture.jpeg().length;
    expect(parts).toMatchObject([
      { part: 1, file_name: `clearframe-${id.slice(0, 8)}-1.zip`, pictures: ARCHIVE_PART.maxPictures },
      { part: 2, file_name: `clearframe-${id.slice(0, 8)}-2.zip`, pictures: 2, size_bytes: 2 * sizeBytes },
    ]);
    const names: string[] = [];
    for (const { url, pictures, file_name } of parts) {
      const path = url.slice(url.indexOf(BASE_PATH) + BASE_PATH.length);
      const { body, headers } = await getZip(fixture.business, path).expect(200);
      expect(headers['content-disposition']).toBe(`attachment; filename="${file_name}"`);
      const files = filesIn(body);
      expect(files).toHaveLength(pictures);
      names.push(...files.map(({ name }) => name));
    }
    expect(new Set(names).size).toBe(COUNT);
    expect(filesIn((await getArchive(fixture.business, id).expect(200)).body).map(({ name }) => name)).toEqual(names);
    for (const part of ['3', '0', 'x']) {
      const { body } = await client.get(`${archiveOf(id)}?part=${part}`).expect(422);
      expect(body.error_code).toBe('request.invalid');
    }
    const { body: foreign } = await fixture.guest.get(`${archiveOf(id)}/parts`).expect(404);
    expect(foreign.error_code).toBe('bulk_uploads.not_found');
  });

  it('is the same again after a download that broke off', async () => {
    const client = await KeyClient.of(fixture.api, fixture.business);
    const id = await finishedBatch(client);
    const path = `${archiveOf(id)}?part=2`;
    const store = fixture.api.app.get(ObjectStore, { strict: false });
    const read = store.read.bind(store);
    const spy = vi.spyOn(store, 'read').mockImplementationOnce(read).mockRejectedValueOnce(new Error('the store ends'));
    const broken = await fetch(`${fixture.api.url}${BASE_PATH}${path}`, { headers: client.headers });
    await expect(broken.arrayBuffer()).rejects.toThrow();
    spy.mockRestore();
    const [once, twice] = [await getZip(fixture.business, path), await getZip(fixture.business, path)];
    expect(filesIn(once.body)).toHaveLength(2);
    expect(once.body).toEqual(twice.body);
  });

  it('is one where everything has place', async () => {
    const { bulk_upload_id: id } = await createFinishedTask(fixture.business, fixture.worker);
    const { data } = (await fixture.business.get(`${archiveOf(id)}/parts`).expect(200)).body;
    expect(data).toMatchObject([{ part: 1, pictures: 1 }]);
    const { bulk_upload_id: running } = await fixture.guest.process();
    const { body } = await fixture.guest.get(`${archiveOf(running)}/parts`).expect(409);
    expect(body.error_code).toBe('tasks.wrong_state');
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
