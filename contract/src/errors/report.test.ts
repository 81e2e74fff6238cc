import { expect, it } from 'vitest';
import { errorReportOf, withoutPersonalData } from './report.js';

it.each([
  ['no account of ada@example.org', 'no account of <address>'],
  ['GET https://bucket.example/in/1?X-Amz-Signature=2 failed', 'GET <url> failed'],
  ['connect to postgres://user:secret@db:5432/photos', 'connect to <url>'],
  ['connect ECONNREFUSED 10.1.2.3:5432', 'connect ECONNREFUSED <ip>:5432'],
  ['from 2001:db8::1', 'from <ip>'],
  ['bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1', 'bearer <token>'],
  ['key cfk_live_Ab1 and sk_test_2', 'key <key> and <key>'],
  ['invalid input syntax for type uuid: "Ada Lovelace"', 'invalid input syntax for type uuid: <value>'],
  ['date/time field value out of range: "Ada"', 'date/time field value out of range: <value>'],
  [`Unexpected token 'L', ..."Lovelace"... is not valid JSON`, "Unexpected token 'L', <value> is not valid JSON"],
  ['x'.repeat(100_000), '…'],
  [`${'ab '.repeat(666)}ada@example.org`, `${'ab '.repeat(666)}…`],
  [
    'duplicate key value violates unique constraint "runs_pkey"',
    'duplicate key value violates unique constraint "runs_pkey"',
  ],
  ['at file.js:10:5', 'at file.js:10:5'],
])('%s is reported as %s', (text, expected) => {
  expect(withoutPersonalData(text)).toBe(expected);
});

it('tells error, text and ids of a line', () => {
  const error = new Error('broken');
  expect(
    errorReportOf({ service: 'web', requestId: '1' }, [{ err: error, userId: '2', code: 'a.b' }, 'failed']),
  ).toEqual({
    error,
    message: 'failed',
    tags: { code: 'a.b', requestId: '1', service: 'web' },
  });
  expect(errorReportOf({}, [error])).toEqual({ error, message: '', tags: {} });
  expect(errorReportOf({}, ['only a text'])).toEqual({ error: null, message: 'only a text', tags: {} });
});
