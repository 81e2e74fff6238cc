import { expect, test } from 'vitest';
import { answerIn } from './consent-cookie';

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
