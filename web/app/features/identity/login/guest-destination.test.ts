import { expect, test } from 'vitest';
import { guestDestination } from './guest-destination';

test.each([
  [null, '/'],
  ['/account/general', '/'],
  ['/result?taskId=1&mediaType=image', '/result?taskId=1&mediaType=image'],
  ['/?mediaType=image&taskId=1', '/'],
  ['/?v=b&taskId=1', '/?v=b'],
  ['https://elsewhere.example/result', '/'],
])('who becomes a guest on %s goes to %s', (from, expected) => {
  expect(guestDestination(from)).toBe(expected);
});
