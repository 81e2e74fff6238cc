import { expect, test } from 'vitest';
import { parseSandbox } from './sandbox-form';

const parse = (fields: Record<string, string>) => parseSandbox(new URLSearchParams({ provider: 'google', ...fields }));

test('trims the address and ignores an unknown scenario', () => {
  expect(parse({ email: ' ada@example.com ', scenario: 'other' })).toMatchObject({
    status: 'success',
    value: { provider: 'google', email: 'ada@example.com', scenario: undefined },
  });
});

test.each(['', 'nowhere@'])('needs an address to log in, and none to cancel: "%s"', (email) => {
  expect(parse({ email })).toMatchObject({ status: 'error', error: { email: [expect.any(String)] } });
  expect(parse({ email, cancel: '1' })).toMatchObject({ status: 'success', value: { cancel: '1' } });
});
