import { randomUUID } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { share, useSharings } from '../../test/support/sharings-fixture.js';
import { createFinishedTask, waitForStatus } from '../../test/support/workers/results.js';

const { fixture, open, file, shared } = useSharings();

describe('sharing is refused', () => {
  it.each<[string, () => Promise<{ status: number; body: { error_code: string } }>, string]>([
    [
      'without a token',
      async () => fixture.api.http.post(`${BASE_PATH}/tasks/${randomUUID()}/share`),
      '401 users.not_authorized',
    ],
    ['for an unknown task', async () => share(fixture.guest, randomUUID()), '404 tasks.not_found'],
    ['for a malformed id', async () => share(fixture.guest, 'x'), '404 tasks.not_found'],
    [
      "for another user's task",
      async () => {
        const { task_id } = await createFinishedTask(fixture.business, fixture.worker);
        return share(fixture.guest, task_id);
      },
      '404 tasks.not_found',
    ],
    [
      'before the upload',
      async () => share(fixture.guest, (await fixture.guest.announce()).task_id),
      '409 tasks.wrong_state',
    ],
    [
      'during processing',
      async () => share(fixture.guest, (await fixture.guest.process()).task_id),
      '409 tasks.wrong_state',
    ],
    [
      'for a failed task',
      async () => {
        const { task_id } = await fixture.guest.process();
        await fixture.worker.end(task_id, () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
        await waitForStatus(fixture.guest, task_id, 'failed');
        return share(fixture.guest, task_id);
      },
      '409 tasks.wrong_state',
    ],
    ['of an unknown link', async () => open('A'.repeat(22)), '404 sharings.not_found'],
    ['of a malformed link', async () => open('x%20y'), '404 sharings.not_found'],
    ['of a file of an unknown link', async () => file('A'.repeat(22), 'output'), '404 sharings.not_found'],
  ])('%s', async (_, request, expected) => {
    const { status, body } = await request();
    expect(`${status} ${body.error_code}`).toBe(expected);
  });

  it('for other files, and revoking without being the owner', async () => {
    const { id } = await shared(fixture.guest);
    const requests = [
      file(id, 'original'),
      fixture.api.http.delete(`${BASE_PATH}/sharings/${id}`),
      fixture.business.delete(`/sharings/${id}`),
    ];
    const refusals = (await Promise.all(requests)).map(({ status, body }) => `${status} ${body.error_code}`);
    expect(refusals).toEqual(['404 sharings.not_found', '401 users.not_authorized', '404 sharings.not_found']);
    await open(id).expect(200);
  });

  it('for bytes beyond the end of a file, with its size', async () => {
    const { id } = await shared(fixture.guest);
    const { headers } = await file(id, 'output').expect(200);
    const refused = await file(id, 'output').set('range', 'bytes=99999999-').expect(416);
    expect(refused.headers['content-range']).toBe(`bytes */${headers['content-length']}`);
    expect(refused.body.error_code).toBe('media.range_invalid');
    await file(id, 'output').set('range', 'bytes=9-2').expect(200);
  });
});
