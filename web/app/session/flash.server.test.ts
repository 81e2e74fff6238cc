import { expect, test } from 'vitest';
import { contextFor, cookieHeader, nextContext } from '../../test/context';
import { consumeFlash, setFlash } from './flash.server';

const context = contextFor(new URL('http://127.0.0.1:9'));

const requestWith = (cookie: string): Request => new Request('http://clearframe.test/', { headers: { cookie } });

test('a message is consumed once', async () => {
  const set = nextContext(context);
  await setFlash('account:saved', set);
  expect(set.cookies[0]).toMatch(/HttpOnly/);

  const consumed = nextContext(context);
  const flash = await consumeFlash({ request: requestWith(cookieHeader(set.cookies)), context: consumed });
  expect(flash).toEqual({ message: 'account:saved', id: context.requestId });
  expect(consumed.cookies[0]).toMatch(/Max-Age=0/);
  expect(await consumeFlash({ request: requestWith(cookieHeader(consumed.cookies)), context })).toBeNull();
});

test('a forged message is ignored', async () => {
  const forged = Buffer.from(JSON.stringify({ message: 'common:name', id: '1' })).toString('base64');
  const visit = nextContext(context);
  expect(await consumeFlash({ request: requestWith(`clearframe_flash=${forged}.forged`), context: visit })).toBeNull();
  expect(visit.cookies).toEqual([]);
});
