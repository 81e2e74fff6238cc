import { expect, test } from 'vitest';
import { EmailAddress } from './email.js';

test.each([
  ['ada@example.com', true],
  [' ada.lovelace+photos@mail.example.museum ', true],
  ['ada@example.photography', true],
  ['ada', false],
  ['ada@example', false],
  ['ada@example.c', false],
  ['ada@example.c0m', false],
  ['ada@-example.com', false],
  ['ada@exa mple.com', false],
  ['ada@@example.com', false],
  ['Ada <ada@example.com>', false],
  ['ada@example.com\nbcc: eve@example.com', false],
  [`${'a'.repeat(250)}@example.com`, false],
])('%s is accepted as an address: %s', (text, isAccepted) => {
  expect(EmailAddress.safeParse(text).success).toBe(isAccepted);
});

test('spaces around an address are removed', () => {
  expect(EmailAddress.parse('  ada@example.com ')).toBe('ada@example.com');
});
