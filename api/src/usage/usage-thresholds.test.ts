import { BASE_PATH } from '@clearframe/contract';
import { expect, it } from 'vitest';
import { KeyClient } from '../../test/support/key-client.js';
import { type StoredMail, storedMail } from '../../test/support/mail.js';
import { picture } from '../../test/support/pictures.js';
import { verify } from '../../test/support/webhook-receiver.js';
import { useWebhooks } from '../../test/support/webhooks-fixture.js';

const hooks = useWebhooks();

const keyWith = (perMonth: number) =>
  KeyClient.of(hooks.api(), hooks.owner(), { name: 'Web shop', limits: { per_month: perMonth } });
const enhance = (key: KeyClient) =>
  hooks
    .api()
    .http.post(`${BASE_PATH}/enhance`)
    .set({ ...key.headers, 'content-type': 'image/jpeg' })
    .send(picture.jpeg());
const enhanceAtOnce = async (key: KeyClient, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => enhance(key)))).filter(({ status }) => status === 202).length;
const emailOf = async () => (await hooks.owner().me()).email;
const mails = async (): Promise<StoredMail[]> =>
  (await storedMail(hooks.api(), await emailOf())).filter(({ kind }) => kind.startsWith('usage'));
const recorded = async ({ keyId }: { keyId: string }) =>
  (
    await hooks.api().sql<{ percent: number }>(
      `SELECT (data ->> 'percent')::int AS percent FROM webhook_messages
       WHERE type = 'usage.threshold' AND data ->> 'keyId' = $1 ORDER BY 1`,
      [keyId],
    )
  ).map(({ percent }) => percent);

// First, while no other test's pictures occupy the worker.
it('owners are told again neither after a picture is given back nor after the limit is raised', async () => {
  const key = await keyWith(5);
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push((await enhance(key).expect(202)).body.task_id);
  expect(await recorded(key)).toEqual([80]);
  await hooks.worker().end(ids[0] ?? '', () => ({ kind: 'failed', errorCode: 'tasks.failed' }));
  await key.get(`/tasks/${ids[0]}`).set('prefer', 'wait=20').expect(200);
  await enhance(key).expect(202);
  const limits = { per_minute: null, per_month: 6 };
  await hooks.owner().put(`/plugin-keys/${key.keyId}`, { name: null, expires_at: null, limits }).expect(200);
  await enhance(key).expect(202);
  expect(await recorded(key)).toEqual([80]);
  await enhance(key).expect(202);
  expect([await recorded(key), (await mails()).length]).toEqual([[80, 100], 2]);
});

it('owners are told of 80 and 100 percent once each, however many requests come at once', async () => {
  const { secret } = await hooks.addEndpoint(undefined, ['usage.threshold']);
  const key = await keyWith(10);
  expect(await enhanceAtOnce(key, 7)).toBe(7);
  expect([await mails(), await recorded(key)]).toEqual([[], []]);
  expect(await enhanceAtOnce(key, 20)).toBe(3);
  const messages = await hooks.receiver().of('usage.threshold', 2);
  for (const message of messages) expect(verify(secret, message)).toEqual(message.event);
  const data = messages.map(({ event }) => event.data).sort((a, b) => a.percent - b.percent);
  const resetsAt = expect.stringMatching(/-01T00:00:00.000Z$/);
  expect(data).toEqual([
    { key_id: key.keyId, limit: 10, used: 8, percent: 80, resets_at: resetsAt },
    { key_id: key.keyId, limit: 10, used: 10, percent: 100, resets_at: resetsAt },
  ]);
  const [warning, exhausted, ...others] = await mails();
  expect([warning?.kind, exhausted?.kind, others]).toEqual(['usageWarning', 'usageExhausted', []]);
  expect(warning?.body).toContain('The API key Web shop has used 8 of 10 photos and videos this month.');
  expect(exhausted?.body).toContain('has used all 10 photos and videos of this month');
  expect(exhausted?.body).toContain('/account/plugin-key');
});

it('a start that passes both is told of once, and a refused one never', async () => {
  const key = await keyWith(1);
  expect(await enhanceAtOnce(key, 5)).toBe(1);
  expect([await recorded(key), (await mails()).map(({ kind }) => kind)]).toEqual([[100], ['usageExhausted']]);
});

it('an address that is not verified gets no mail', async () => {
  const { web_user_id: id } = await hooks.owner().me();
  await hooks.api().sql('UPDATE users SET email_verified = false WHERE id = $1', [id]);
  const key = await keyWith(1);
  await enhance(key).expect(202);
  expect([await recorded(key), await mails()]).toEqual([[100], []]);
});
