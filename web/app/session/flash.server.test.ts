import { expect, test } from 'vitest';
import { contextFor } from '../../test/context';
import { leaveFlash, takeFlash } from './flash.server';

const context = contextFor(new URL('http://127.0.0.1:9'));

const requestWith = (cookie: string): Request => new Request('http://clearframe.test/', { headers: { cookie } });

/** What a browser would send back. */
const cookieIn = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

test('a message is taken once', async () => {
  const left = new Headers();
  await leaveFlash('account:saved', left, context);
  expect(left.get('set-cookie')).toMatch(/HttpOnly/);

  const taken = new Headers();
  const flash = await takeFlash(requestWith(cookieIn(left)), taken, context);
  expect(flash).toEqual({ message: 'account:saved', id: context.requestId });
  expect(taken.get('set-cookie')).toMatch(/Max-Age=0/);
  expect(await takeFlash(requestWith(cookieIn(taken)), new Headers(), context)).toBeNull();
});

test('a forged message is ignored', async () => {
  const forged = Buffer.from(JSON.stringify({ message: 'common:name', id: '1' })).toString('base64');
  const headers = new Headers();
  expect(await takeFlash(requestWith(`clearframe_flash=${forged}.forged`), headers, context)).toBeNull();
  expect(headers.has('set-cookie')).toBe(false);
});
