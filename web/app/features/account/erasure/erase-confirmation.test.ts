import { expect, test } from 'vitest';
import { isConfirmed } from './erase-confirmation';

test.each<[string | null, string, boolean]>([
  ['Ada@Example.com', 'email=%20ada%40example.COM%20', true],
  ['ada@example.com', 'email=ada%40example.co', false],
  ['ada@example.com', 'email=', false],
  ['ada@example.com', 'sure=yes', false],
  [null, 'sure=yes', true],
  [null, 'email=', false],
  [null, '', false],
])('the account %s is erased by %s: %s', (email, fields, answer) => {
  expect(isConfirmed(email, new URLSearchParams(fields))).toBe(answer);
});
