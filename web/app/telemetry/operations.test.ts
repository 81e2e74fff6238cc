import { expect, test } from 'vitest';
import { recordOperation, resumeOperation } from './operations';

let now = 0;
const step = (operation: string, kind = 'login', key?: string) => {
  now += 1_000;
  return recordOperation(kind, { operation, method: 'google' }, now, key);
};
const inOrder = (durationMs: number | null = null) => ({ warning: null, durationMs });
const outOfOrder = (warning: string, step: string) => ({ warning: { warning, kind: 'login', step }, durationMs: null });

test('measures an operation, and warns of one that is started twice or ends without a start', () => {
  expect(step('completed')).toEqual(outOfOrder('not_started', 'completed'));
  expect(step('started')).toEqual(inOrder());
  expect(step('started', 'logout')).toEqual(inOrder());
  expect(step('started')).toEqual(outOfOrder('started_twice', 'started'));
  expect(step('failed')).toEqual(inOrder(3_000));
  expect(step('canceled')).toEqual(outOfOrder('not_started', 'canceled'));
  expect(recordOperation('paywall', { action: 'shown' }, now)).toEqual(inOrder());
});

test('tells apart operations of a kind that run at the same time', () => {
  expect(step('started', 'upload', 'a')).toEqual(inOrder());
  expect(step('started', 'upload', 'b')).toEqual(inOrder());
  expect(step('completed', 'upload', 'a')).toEqual(inOrder(2_000));
  expect(step('canceled', 'upload', 'b')).toEqual(inOrder(2_000));
});

test('the end of an operation of an earlier page is in order and has no duration', () => {
  resumeOperation('process', 'a');
  expect(step('completed', 'process', 'a')).toEqual(inOrder());
  step('started', 'process', 'b');
  resumeOperation('process', 'b');
  expect(step('completed', 'process', 'b')).toEqual(inOrder(1_000));
});
