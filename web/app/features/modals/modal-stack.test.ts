import { expect, test } from 'vitest';
import { createModalStack } from './modal-stack';

const idsOf = (stack: ReturnType<typeof createModalStack>) => stack.openEntries().map(({ id }) => id);

test('the last modal opened is on top, and a closed one stays listed until it has faded out', () => {
  const stack = createModalStack();
  const lower = stack.push('language', {}, null);
  const upper = stack.push('about', { topic: 'photo' }, null);
  expect(stack.dismissable()?.key).toBe(upper.key);
  stack.close([upper.key]);
  expect(idsOf(stack)).toEqual(['language']);
  expect(stack.getState().entries).toHaveLength(2);
  stack.remove(upper.key);
  expect(stack.getState().entries).toHaveLength(1);
  expect(stack.dismissable()?.key).toBe(lower.key);
});

test('a modal with prevent-pop and those below it are neither dismissed nor popped', () => {
  const stack = createModalStack();
  stack.push('language', {}, null);
  const fixed = stack.push('gallery:modal[prevent-pop]', {}, null);
  expect(stack.dismissable()).toBeNull();
  expect(stack.poppable()).toBeNull();
  stack.close([fixed.key]);
  expect(stack.dismissable()?.id).toBe('language');
});

test('the stack is unlocked when the last lock is released', () => {
  const stack = createModalStack();
  stack.push('language', {}, null);
  const first = stack.lock();
  const second = stack.lock();
  first();
  first();
  expect(stack.getState().isLocked).toBe(true);
  expect(stack.dismissable()).toBeNull();
  // Locks do not apply to scripts.
  expect(stack.poppable()?.id).toBe('language');
  second();
  expect(stack.getState().isLocked).toBe(false);
  expect(stack.dismissable()?.id).toBe('language');
});

test('listeners are called on every change until they unsubscribe', () => {
  const stack = createModalStack();
  let changes = 0;
  const unsubscribe = stack.subscribe(() => {
    changes += 1;
  });
  const { key } = stack.push('about', { topic: 'photo' }, null);
  stack.change(key, { topic: 'files' });
  expect(stack.openEntries()[0]?.props).toEqual({ topic: 'files' });
  stack.close([]);
  expect(changes).toBe(2);
  unsubscribe();
  stack.lock();
  expect(changes).toBe(2);
});
