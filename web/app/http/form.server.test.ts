import { expect, test } from 'vitest';
import { z } from 'zod';
import { contextFor } from '../../test/context';
import { readForm } from './form.server';

const context = contextFor(new URL('http://api.test'));
const schema = z.object({ theme: z.enum(['light', 'dark']) });

function send(body: string, type = 'application/x-www-form-urlencoded') {
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  return readForm(new Request('http://clearframe.test/theme', { method: 'POST', headers, body }), context, schema);
}

const problemOf = async (thrown: unknown) => (thrown instanceof Response ? thrown.json() : thrown);

test.each([
  '__intent__=none',
  '__state__=none',
  '__intent__=%7B%22type%22:%22insert%22,%22payload%22:%7B%22name%22:%22theme%22%7D%7D',
  'list[99999999]=1',
  'theme.name=x',
])('ignores a field with a special meaning for Conform: %s', async (forged) => {
  expect(await send(`theme=dark&${forged}`)).toEqual({ theme: 'dark' });
});

test.each(['theme=blue', 'theme=dark&theme=light', ''])('throws an error page for a forged form: %s', async (body) => {
  expect(await problemOf(await send(body).catch((thrown: unknown) => thrown))).toMatchObject({
    code: 'request.invalid',
  });
});

test('throws an error page for forms with files and for long forms', async () => {
  const codes = await Promise.all(
    [send('theme=dark', 'multipart/form-data; boundary=x'), send(`theme=${'x'.repeat(100_000)}`)].map(async (sent) =>
      problemOf(await sent.catch((thrown: unknown) => thrown)),
    ),
  );
  expect(codes).toMatchObject([{ code: 'request.unsupported_media_type' }, { code: 'request.too_large' }]);
});
