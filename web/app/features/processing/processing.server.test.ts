import { expect, test } from 'vitest';
import type { TaskView } from '../tasks/task-view';
import { deletionOf } from './processing.server';

const expiresAt = '2030-01-02T00:00:00.000Z';

test.each<TaskView['state']>([
  { kind: 'uploading' },
  { kind: 'working', progress: 0.5 },
  { kind: 'done' },
  { kind: 'failed', code: 'tasks.failed' },
])('a task that is $kind is deleted later', (state) => {
  expect(deletionOf({ state, expiresAt }, 'en')).toMatchObject({ iso: expiresAt });
});

test.each<TaskView['state']>([{ kind: 'invalid', code: 'uploads.undecodable' }, { kind: 'cancelled' }])(
  'of a task that is $kind nothing is kept',
  (state) => {
    expect(deletionOf({ state, expiresAt }, 'en')).toBeUndefined();
  },
);
