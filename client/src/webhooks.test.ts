import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { webhooks } from './webhooks.ts';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const OLD_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = JSON.stringify({ type: 'task.completed', timestamp: '2026-01-01T00:00:00Z', data: { name: 'Zoë 👩‍🦰' } });
const INVALID = { code: 'webhooks.signature_invalid' };

/** Headers by the reference implementation. */
function sign(body: string, { secret = SECRET, at = new Date(), id = `msg_${randomUUID()}` } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

const secondsAgo = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('webhooks.verify', () => {
  it('reads what standardwebhooks has signed', async () => {
    const headers = sign(BODY);
    expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(await webhooks.verify(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
    expect(await webhooks.verify(Buffer.from(BODY), new Headers(headers), SECRET)).toEqual(JSON.parse(BODY));
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await webhooks.verify(BODY, capitals, SECRET)).toEqual(JSON.parse(BODY));
  });

  it('accepts any of several signatures, and either secret during a rotation', async () => {
    const headers = sign(BODY);
    const old = sign(BODY, { secret: OLD_SECRET, id: headers['webhook-id'] });
    const both = {
      ...headers,
      'webhook-signature': `v2,bm8= ${old['webhook-signature']} ${headers['webhook-signature']}`,
    };
    expect(await webhooks.verify(BODY, both, SECRET)).toMatchObject({ type: 'task.completed' });
    expect(await webhooks.verify(BODY, sign(BODY, { secret: OLD_SECRET }), [SECRET, OLD_SECRET])).toBeTruthy();
  });

  it.each([
    ['another body', () => [`${BODY} `, sign(BODY)] as const],
    ['another secret', () => [BODY, sign(BODY, { secret: OLD_SECRET })] as const],
    ['another id', () => [BODY, { ...sign(BODY), 'webhook-id': 'msg_2' }] as const],
    ['an old delivery', () => [BODY, sign(BODY, { at: secondsAgo(400) })] as const],
    ['one of the future', () => [BODY, sign(BODY, { at: secondsAgo(-400) })] as const],
    ['no signature', () => [BODY, { ...sign(BODY), 'webhook-signature': '' }] as const],
    ['a signature of another version', () => [BODY, { ...sign(BODY), 'webhook-signature': 'v1a,bm8=' }] as const],
    ['a broken signature', () => [BODY, { ...sign(BODY), 'webhook-signature': 'v1,*' }] as const],
    ['a timestamp that is no number', () => [BODY, { ...sign(BODY), 'webhook-timestamp': '1e9' }] as const],
    ['text that is no JSON', () => ['hello', sign('hello')] as const],
  ])('refuses %s', async (_what, delivery) => {
    const [body, headers] = delivery();
    await expect(webhooks.verify(body, headers, SECRET)).rejects.toMatchObject(INVALID);
  });

  it('takes another tolerance', async () => {
    const headers = sign(BODY, { at: secondsAgo(400) });
    expect(await webhooks.verify(BODY, headers, SECRET, { toleranceSeconds: 600 })).toBeTruthy();
  });

  it('names a secret that is none', async () => {
    await expect(webhooks.verify(BODY, sign(BODY), 'not base64!')).rejects.toThrow(TypeError);
  });
});
