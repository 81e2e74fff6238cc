import { expect, test } from 'vitest';
import { parseCheckout, parseOrder } from './checkout-form';

const NO_QUESTIONS = { asksForEmail: false, asksForForfeit: false };

const parse = (fields: Record<string, string>, questions = NO_QUESTIONS) =>
  parseCheckout(new URLSearchParams(fields), questions);

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['  ada@example.com ', 'ada@example.com'],
  ['   ', null],
  ['', null],
])('the receipt for "%s" goes to %s', (receiptEmail, expected) => {
  expect(parse({ receiptEmail }, { ...NO_QUESTIONS, asksForEmail: true })).toMatchObject({
    status: 'success',
    value: { receiptEmail: expected },
  });
});

test('an invalid address is an error only where the form asks for one', () => {
  expect(parse({ receiptEmail: 'nowhere@' }, { ...NO_QUESTIONS, asksForEmail: true })).toMatchObject({
    status: 'error',
    error: { receiptEmail: [expect.any(String)] },
  });
  expect(parse({ receiptEmail: 'nowhere@' })).toMatchObject({ status: 'success', value: { receiptEmail: null } });
});

test('the buyer must agree to losing downloads', () => {
  const questions = { ...NO_QUESTIONS, asksForForfeit: true };
  expect(parse({}, questions)).toMatchObject({ status: 'error', error: { agreesToForfeit: [expect.any(String)] } });
  expect(parse({ agreesToForfeit: 'true' }, questions)).toMatchObject({ value: { agreesToForfeit: true } });
});

test.each([
  [{}, { method: 'card', withIntroPrice: false, emailReminderEnabled: false }],
  [
    { method: 'wallet', withIntroPrice: 'true' },
    { method: 'wallet', withIntroPrice: true },
  ],
  [
    { method: 'other', attempt: 'forged' },
    { method: 'card', attempt: undefined },
  ],
])('%o is read as %o', (fields, expected) => {
  expect(parse(fields)).toMatchObject({ status: 'success', value: expected });
});

test.each([
  [
    'priceId=personal_weekly_usd&taskId=&freeTrialEnabled=true',
    { priceId: 'personal_weekly_usd', taskId: null, freeTrialEnabled: true, withoutIntro: false },
  ],
  ['', { priceId: '', taskId: null, freeTrialEnabled: false, withoutIntro: false }],
])('the order of "%s" is %o', (query, order) => {
  expect(parseOrder(new URLSearchParams(query))).toMatchObject({ status: 'success', value: order });
});
