import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useEnhance } from '../../test/support/enhance-fixture.js';
import { refusalOf } from '../../test/support/key-client.js';
import { notPictures, picture } from '../../test/support/pictures.js';

const WAIT = { prefer: 'wait=60' };
const { worker, useWorker, send, tasks, finishOnly } = useEnhance();

describe('POST /enhance with an Idempotency-Key', () => {
  useWorker();

  it('starts one task for the same request, and refuses other bytes or options', async () => {
    const [bytes, retry] = [picture.jpeg(), { 'idempotency-key': randomUUID() }];
    const first = await send(bytes, '?format=png', retry).expect(202);
    const again = await send(bytes, '?format=png', retry).expect(202);
    expect([again.body.task_id, again.headers['idempotency-replayed']]).toEqual([first.body.task_id, 'true']);
    const other = [422, 'idempotency.key_reused'];
    expect(await refusalOf(send(picture.jpeg(), '?format=png', retry))).toEqual(other);
    expect(await refusalOf(send(bytes, '?format=jpeg', retry))).toEqual(other);
    expect(await tasks()).toHaveLength(1);
    const [response] = await Promise.all([
      send(bytes, '?format=png', { ...retry, ...WAIT }).buffer(true),
      finishOnly(picture.png(70_000)),
    ]);
    expect([response.status, response.body.length]).toEqual([200, 70_000]);
  });

  it('may be sent again after a refusal', async () => {
    const retry = { 'idempotency-key': randomUUID() };
    expect(await refusalOf(send(notPictures.pdf, '', retry))).toEqual([415, 'uploads.unsupported_type']);
    const { body } = await send(picture.jpeg(), '', retry).expect(202);
    await worker().end(body.task_id, (run) => worker().finish(run));
  });
});
