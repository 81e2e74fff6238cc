import { describe, expect, it } from 'vitest';
import { Customer } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';
import type { Visitor } from '../../test/support/visitor.js';
import { LARGE } from '../../test/support/workers/render-worker.js';
import { waitForStatus } from '../../test/support/workers/results.js';
import { useResultsFixture } from '../../test/support/workers/results-fixture.js';

const fixture = useResultsFixture();

const request = (visitor: Visitor, taskId: string, body: object = {}) => visitor.post(`/tasks/${taskId}/tiles`, body);

async function createLarge(visitor: Visitor, size: { width: number; height: number } = LARGE): Promise<string> {
  const { task_id } = await visitor.process();
  await fixture.worker.end(task_id, (run) => fixture.worker.finish(run, undefined, size));
  await waitForStatus(visitor, task_id, 'completed');
  return task_id;
}

const tilesFor = (visitor: Visitor, taskId: string) =>
  until(async () => {
    const { body } = await request(visitor, taskId).expect(202);
    return body.status === 'ready' ? body : null;
  }, 'the tiles');

const addressOf = ({ url }: { url: string }, level: number, column: number, row: number): string =>
  url.replace('{level}', String(level)).replace('{column}', String(column)).replace('{row}', String(row));

async function answerOf(address: string): Promise<[status: number, body: string]> {
  const response = await fetch(address);
  const text = await response.text();
  return [response.status, response.ok ? text : JSON.parse(text).error_code];
}

describe('tiles of a result larger than its display file', () => {
  it('are cut once, of it and of its original, and served one by one', async () => {
    const { business, renders } = fixture;
    const taskId = await createLarge(business);
    const { body: first } = await request(business, taskId).expect(202);
    expect(first).toEqual({ status: 'pending', input: null, output: null });
    const { input, output } = await tilesFor(business, taskId);
    for (const tiles of [input, output]) {
      expect(tiles).toEqual({
        url: expect.stringContaining('/{level}/{column}_{row}?'),
        ...LARGE,
        tile_size: 512,
        overlap: 1,
        min_level: 12,
        max_level: 13,
        content_type: 'image/jpeg',
      });
    }
    const cuts = renders.orders.filter(({ rendition }) => rendition.use === 'tiles');
    // Not between files of others.
    expect(cuts.map(({ runId }) => renders.queueOf.get(runId))).toEqual(['large', 'large']);
    expect(await answerOf(addressOf(output, 13, 0, 0))).toEqual([200, 'clean tile 0']);
    expect(await answerOf(addressOf(output, 13, 11, 7))).toEqual([200, 'clean tile 95']);
    expect(await answerOf(addressOf(input, 12, 1, 0))).toEqual([200, 'clean tile 97']);
    const { headers } = await fetch(addressOf(output, 13, 0, 0));
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '12',
      'cache-control': 'private, max-age=3600, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'ratelimit-policy': expect.stringContaining('tiles'),
    });
    expect((await tilesFor(business, taskId)).output.url).toBe(output.url);
  });

  it('have the watermark until the picture is paid for', async () => {
    const { guest, renders } = fixture;
    const taskId = await createLarge(guest);
    const { input, output } = await tilesFor(guest, taskId);
    expect(await answerOf(addressOf(output, 13, 3, 2))).toEqual([200, 'marked tile 27']);
    // The original is the guest's own.
    expect(await answerOf(addressOf(input, 13, 3, 2))).toEqual([200, 'clean tile 27']);
    expect(renders.orders.filter(({ rendition, recipe }) => recipe && rendition.use && !rendition.watermark)).toEqual(
      [],
    );
    await fixture.api.sql(`UPDATE tasks SET exported_at = now(), status = 'exported' WHERE id = '${taskId}'`);
    const paid = await tilesFor(guest, taskId);
    expect(await answerOf(addressOf(paid.output, 13, 3, 2))).toEqual([200, 'clean tile 27']);
  });

  it('are served by their signed address only', async () => {
    const { business } = fixture;
    const { output } = await tilesFor(business, await createLarge(business));
    const address = addressOf(output, 13, 0, 0);
    for (const changed of [
      address.replace('width=6000', 'width=5000'),
      address.replace(/expires=\d/, 'expires=3'),
      address.replace(/tiles\/[^/]+/, 'tiles/8f9e7f7e-56b6-4f0e-9c61-000000000001'),
    ])
      expect(await answerOf(changed)).toEqual([403, 'media.url_invalid']);
    for (const [level, column, row] of [
      [13, 12, 0],
      [13, 0, 8],
      [11, 0, 0],
      [14, 0, 0],
    ] as const)
      expect(await answerOf(addressOf(output, level, column, row))).toEqual([404, 'media.not_found']);
    expect(await answerOf(address.replace('/0_0', '/0_x'))).toEqual([404, 'media.not_found']);
  });

  it('are gone with their picture', async () => {
    const { business } = fixture;
    const taskId = await createLarge(business);
    const { output } = await tilesFor(business, taskId);
    await business.delete('/tasks/delete', { task_ids: [taskId] });
    await expect.poll(() => answerOf(addressOf(output, 13, 0, 0))).toEqual([404, 'media.not_found']);
    await request(business, taskId).expect(404);
  });

  it('are not ordered again and again when they can not be made', async () => {
    const { business, renders } = fixture;
    const taskId = await createLarge(business);
    renders.setFailing(true);
    await expect.poll(async () => (await request(business, taskId)).body.status).toBe('failed');
    await request(business, taskId).expect(202);
    expect(renders.orders.filter(({ rendition }) => rendition.use === 'tiles')).toHaveLength(2);
  });

  it('do not exist for what a display file shows, nor for others', async () => {
    const { business, guest } = fixture;
    const small = await createLarge(business, { width: 2048, height: 1536 });
    const { body } = await request(business, small).expect(202);
    expect(body).toEqual({ status: 'ready', input: null, output: null });
    await request(guest, small).expect(404);
    const waiting = await business.process();
    expect((await request(business, waiting.task_id).expect(409)).body.error_code).toBe('tasks.wrong_state');
  });

  it('show no more than the file of the plan', async () => {
    const customer = await Customer.member(fixture.api);
    await customer.subscribe('personal_weekly_usd');
    const taskId = await createLarge(customer.visitor);
    const none = { status: 'ready', input: null, output: null };
    expect((await request(customer.visitor, taskId).expect(202)).body).toEqual(none);
  });
});
