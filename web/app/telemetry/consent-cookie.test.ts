import { expect, test } from 'vitest';
import { answerIn, platformAnswerIn } from './consent-cookie';

test.each([
  [null, null],
  ['', null],
  ['other=1', null],
  ['my_clearframe_cookies=C0002', null],
  ['clearframe_cookies=', []],
  ['clearframe_cookies=C0004; other=1', ['C0004']],
  ['other=1; clearframe_cookies=C0002.C0004', ['C0002', 'C0004']],
  ['clearframe_cookies=C0001.C00022.nonsense', []],
])('the answer in %j', (cookies, answer) => {
  expect(answerIn(cookies)).toEqual(answer);
});

test.each([
  [null, null],
  ['clearframe_cookies=C0002', null],
  ['OptanonConsent=isGpcEnabled=0&datestamp=Sat', null],
  ['OptanonConsent=isGpcEnabled=0&groups=C0001%3A1%2CC0002%3A0%2CC0004%3A0&consentId=1; a=b', []],
  ['a=b; OptanonConsent=groups=C0001%3A1%2CC0002%3A1%2CC0004%3A0', ['C0002']],
  ['OptanonConsent=groups=%E0%A4%A', []],
])('the answer on the consent platform in %j', (cookies, answer) => {
  expect(platformAnswerIn(cookies)).toEqual(answer);
});
