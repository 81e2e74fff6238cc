import { expect, test } from 'vitest';
import { contextFor } from '../../test/context';
import { consumeFlash, setFlash } from './flash.server';

const context = contextFor(new URL('http://127.0.0.1:9'));

const requestWith = (cookie: string): Request => new Request('http://clearframe.test/', { headers: { cookie } });

const cookieIn = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

test('a message is consumed once', async () => {
  const set = new Headers();
  await setFlash('account:saved', set, context);
  expect(set.get('set-cookie')).toMatch(/HttpOnly/);

  const consumed = new Headers();
  const flash = await consumeFlash({ request: requestWith(cookieIn(set)), headers: consumed, context });
  expect(flash).toEqual({ message: 'account:saved', id: context.requestId });
  expect(consumed.get('set-cookie')).toMatch(/Max-Age=0/);
  expect(await consumeFlash({ request: requestWith(cookieIn(consumed)), headers: new Headers(), context })).toBeNull();
});

test('a forged message is ignored', async () => {
  const forged = Buffer.from(JSON.stringify({ message: 'common:name', id: '1' })).toString('base64');
  const headers = new Headers();
  expect(
    await consumeFlash({ request: requestWith(`clearframe_flash=${forged}.forged`), headers, context }),
  ).toBeNull();
  expect(headers.has('set-cookie')).toBe(false);
});
