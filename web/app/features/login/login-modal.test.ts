import { expect, test } from 'vitest';
import { loginLeadOf } from './login-modal';

test.each([
  ['', 'lead'],
  ['?returnTo=%2Fresult', 'lead'],
  ['?returnTo=%2Fcheckout%3FpriceId%3Dp', 'checkoutLead'],
  ['?returnTo=%2Fredeem', 'redeemLead'],
])('the login of "%s" says what it is for: %s', (search, lead) => {
  expect(loginLeadOf(search)).toBe(lead);
});
