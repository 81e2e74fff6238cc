import { expect, test } from 'vitest';
import { recordOperation } from './operations';

const step = (operation: string, kind = 'login') => recordOperation(kind, { operation, method: 'google' });

test('warns of an operation that is started twice or ends without a start', () => {
  expect(step('completed')).toEqual({ warning: 'not_started', kind: 'login', step: 'completed' });
  expect(step('started')).toBeNull();
  expect(step('started', 'logout')).toBeNull();
  expect(step('started')).toEqual({ warning: 'started_twice', kind: 'login', step: 'started' });
  expect(step('failed')).toBeNull();
  expect(step('canceled')).toEqual({ warning: 'not_started', kind: 'login', step: 'canceled' });
  expect(recordOperation('paywall', { action: 'shown' })).toBeNull();
});
