import { expect, test } from 'vitest';
import { parseErase } from './erase-form';

test.each<[string | null, string, boolean]>([
  ['Ada@Example.com', 'email=%20ada%40example.COM%20', true],
  ['ada@example.com', 'email=ada%40example.co', false],
  ['ada@example.com', 'email=', false],
  ['ada@example.com', 'sure=yes', false],
  [null, 'sure=yes', true],
  [null, 'email=', false],
  [null, '', false],
])('the account %s is erased by %s: %s', (email, fields, isConfirmed) => {
  expect(parseErase(new URLSearchParams(fields), email).status === 'success').toBe(isConfirmed);
});
