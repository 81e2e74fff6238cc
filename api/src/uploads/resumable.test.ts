import { megabytes, objectKeys } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../runtime/test/ports.js';
import { until } from '../../test/support/until.js';
import {
  FILE,
  HALF,
  type Resumable,
  SIZE,
  sha256,
  useResumableUploads,
} from '../../test/support/uploads/resumable-uploads.js';
import { patch, startPatch, tus, tusResponseOf } from '../../test/support/uploads/tus-client.js';
import { put } from '../../test/support/visitor.js';
import { createApp } from '../app/create-app.js';
import { WorkRunner } from '../platform/schedule/work-runner.js';
import { UploadIntake } from './upload-intake.js';

describe.each(['disk', 's3'] as const)('a resumable upload to %s', (driver) => {
  const uploads = useResumableUploads(driver);
  const { announce, offsetOf, process, storedKeys } = uploads;
  const expire = (taskId: string) =>
    uploads.api().sql(`UPDATE tasks SET upload_expires_at = now() - interval '1 second' WHERE id = $1`, [taskId]);
  const expiryPass = () =>
    uploads
      .api()
      .app.get(WorkRunner, { strict: false })
      .pass(uploads.api().app.get(UploadIntake, { strict: false }).scheduledWork[0]);

  it('has an address for files over 8 MB of declared size, for 24 hours', async () => {
    for (const input of [{}, { size_bytes: megabytes(8) }])
      expect((await uploads.visitor().announce(input)).resumable_url).toBeNull();
    const { resumable_url, task_id } = await announce({ size_bytes: megabytes(8) + 1 });
    expect(resumable_url).toMatch(new RegExp(`^${uploads.api().url}/media/resumable/${task_id}\\?`));
    const expires = Number(new URL(resumable_url).searchParams.get('expires'));
    expect(Math.abs(expires - Date.now() / 1000 - 86_400)).toBeLessThan(600);
  });

  it('resumes at the stored byte and is processed', async () => {
    const announced = await announce({ sha256 });
    const url = announced.resumable_url;
    expect(await tus('HEAD', url)).toMatchObject({ status: 200, offset: 0, headers: { 'upload-length': `${SIZE}` } });
    expect(await patch(url, 0, FILE.subarray(0, HALF))).toMatchObject({ status: 204, offset: HALF });
    expect((await process(announced).expect(409)).body.error_code).toBe('uploads.missing');
    expect(await offsetOf(announced)).toBe(HALF);
    expect(await patch(url, HALF, FILE.subarray(HALF))).toMatchObject({ status: 204, offset: SIZE });
    expect(await storedKeys(announced.task_id)).toEqual([objectKeys.upload(announced.task_id)]);
    expect(await tus('HEAD', url)).toMatchObject({ status: 200, offset: SIZE });
    await process(announced).expect(202);
    const { input } = await uploads.visitor().task(announced.task_id);
    expect(input).toMatchObject({ sha256, size_bytes: SIZE, content_type: 'image/jpeg' });
    expect(await tus('HEAD', url)).toMatchObject({ status: 200, offset: SIZE });
  });

  it('changes its task once, not for each stored part', async () => {
    const { sql } = uploads.api();
    await sql(`
      CREATE TABLE task_changes (status text);
      CREATE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO task_changes VALUES (NEW.status); RETURN NEW; END $$;
      CREATE TRIGGER log_change AFTER UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION log_change()`);
    const announced = await announce();
    expect((await patch(announced.resumable_url, 0, FILE.subarray(0, HALF))).offset).toBe(HALF);
    expect((await patch(announced.resumable_url, HALF, FILE.subarray(HALF, 2 * HALF))).offset).toBe(2 * HALF);
    expect((await storedKeys(announced.task_id)).length).toBeGreaterThan(2);
    expect(await sql('SELECT status FROM task_changes')).toEqual([{ status: 'uploading' }]);
    await sql('DROP TABLE task_changes CASCADE; DROP FUNCTION log_change CASCADE');
  });

  it('keeps what a cut connection has sent', async () => {
    const announced = await announce({ sha256 });
    const sending = startPatch(announced.resumable_url, 0, SIZE);
    sending.write(FILE.subarray(0, HALF));
    await until(async () => (await storedKeys(announced.task_id)).length > 2, 'parts to be stored');
    sending.destroy();
    // Waits for the cut request.
    const offset = await offsetOf(announced);
    expect(offset).toBeGreaterThanOrEqual(2 * 1024 * 1024);
    expect(offset).toBeLessThanOrEqual(HALF);
    expect(await patch(announced.resumable_url, offset ?? 0, FILE.subarray(offset ?? 0))).toMatchObject({
      status: 204,
      offset: SIZE,
    });
    await process(announced).expect(202);
  });

  it('continues in another process, also after the last part', async () => {
    const [half, joined] = [await announce({ sha256 }), await announce({ sha256 })];
    expect((await patch(half.resumable_url, 0, FILE.subarray(0, HALF))).offset).toBe(HALF);
    // The state after a crash before the parts were joined.
    for (let offset = 0; offset < SIZE; offset += 3_000_000)
      await uploads
        .store()
        .put(objectKeys.uploadPart(joined.task_id, offset), FILE.subarray(offset, offset + 3_000_000));
    const app = await createApp(uploads.api().environment);
    const port = await freePort();
    await app.listen(port, '127.0.0.1');
    const elsewhere = ({ resumable_url }: Resumable) =>
      resumable_url.replace(uploads.api().url, `http://127.0.0.1:${port}`);
    expect(await tus('HEAD', elsewhere(half))).toMatchObject({ offset: HALF });
    expect(await patch(elsewhere(half), HALF, FILE.subarray(HALF))).toMatchObject({ status: 204, offset: SIZE });
    expect(await tus('HEAD', elsewhere(joined))).toMatchObject({ offset: SIZE });
    await app.close();
    for (const announced of [half, joined]) await process(announced).expect(202);
  });

  it('stores nothing when its task is cancelled during the upload', async () => {
    const { task_id, resumable_url } = await announce();
    const sending = startPatch(resumable_url, 0, SIZE);
    const response = tusResponseOf(sending);
    sending.write(FILE.subarray(0, HALF));
    await until(async () => (await storedKeys(task_id)).length > 2, 'parts to be stored');
    await uploads.visitor().post(`/tasks/${task_id}/cancel`).expect(200);
    sending.end(FILE.subarray(HALF));
    expect(await response).toMatchObject({ status: 409, code: 'uploads.closed' });
    expect(await storedKeys(task_id)).toEqual([]);
  });

  it('is deleted with an erased account', async () => {
    const member = await uploads.api().member();
    const { task_id, resumable_url } = await member.announce({ size_bytes: SIZE });
    await patch(resumable_url ?? '', 0, FILE.subarray(0, HALF));
    expect((await storedKeys(task_id)).length).toBeGreaterThan(0);
    await member.delete('/users/@me').expect(204);
    await until(async () => (await storedKeys(task_id)).length === 0, 'the parts to be deleted');
  });

  it('stays open after the address of the single PUT has expired, and is deleted when its own expires', async () => {
    const announced = await announce();
    await patch(announced.resumable_url, 0, FILE.subarray(0, HALF));
    await uploads
      .api()
      .sql(`UPDATE tasks SET upload_expires_at = upload_expires_at - interval '23 hours' WHERE id = $1`, [
        announced.task_id,
      ]);
    await expiryPass();
    expect((await uploads.visitor().task(announced.task_id)).status).toBe('uploading');
    await expire(announced.task_id);
    await expiryPass();
    expect(await uploads.visitor().task(announced.task_id)).toMatchObject({
      status: 'invalid',
      error_code: 'uploads.expired',
    });
    expect(await storedKeys(announced.task_id)).toEqual([]);
    expect(await patch(announced.resumable_url, HALF, FILE.subarray(HALF))).toMatchObject({ status: 410 });
  });

  it('can be replaced by the single PUT', async () => {
    const announced = await announce();
    await patch(announced.resumable_url, 0, FILE.subarray(0, HALF));
    expect((await put(announced, FILE)).status).toBe(200);
    await process(announced).expect(202);
    expect(await storedKeys(announced.task_id)).toEqual([objectKeys.input(announced.task_id)]);
  });
});
