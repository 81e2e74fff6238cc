import { describe, expect, it } from 'vitest';
import { bulkStatusOf, hasResult, isFinal, isRunning, mayFollow, TASK_STATUSES, type TaskStatus } from './states.js';

/** Every pair that may happen; all others may not. */
const ALLOWED: readonly `${TaskStatus} > ${TaskStatus}`[] = [
  'pristine > started',
  'started > uploading',
  'started > processing',
  'started > invalid',
  'started > cancelled',
  'uploading > processing',
  'uploading > invalid',
  'uploading > cancelled',
  'processing > completed',
  'processing > failed',
  'processing > invalid',
  'processing > cancelled',
  'reprocessing > completed',
  'reprocessing > exported',
  'reprocessing > failed',
  'reprocessing > cancelled',
  'completed > exported',
  'completed > reprocessing',
  'exported > reprocessing',
  'failed > reprocessing',
];

describe('the states of a task', () => {
  it('follow each other as the table says, and in no other way', () => {
    const happening = TASK_STATUSES.flatMap((from) =>
      TASK_STATUSES.filter((to) => mayFollow(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(happening.sort()).toEqual([...ALLOWED].sort());
  });

  it.each<[string, (status: TaskStatus) => boolean, TaskStatus[]]>([
    ['final', isFinal, ['completed', 'exported', 'failed', 'invalid', 'cancelled']],
    ['running', isRunning, ['processing', 'reprocessing']],
    ['with a result', hasResult, ['completed', 'exported']],
  ])('that are %s', (_what, is, expected) => expect(TASK_STATUSES.filter(is)).toEqual(expected));

  it('can all be reached from the first', () => {
    const reached = new Set<TaskStatus>(['pristine']);
    for (const from of reached) for (const to of TASK_STATUSES) if (mayFollow(from, to)) reached.add(to);
    expect([...reached].sort()).toEqual([...TASK_STATUSES].sort());
  });
});

describe('the state of an upload', () => {
  it.each<[TaskStatus[], TaskStatus]>([
    [[], 'started'],
    [['started'], 'started'],
    [['started', 'uploading'], 'uploading'],
    [['uploading', 'processing'], 'processing'],
    [['completed', 'processing'], 'processing'],
    [['completed', 'reprocessing'], 'reprocessing'],
    [['completed', 'failed', 'invalid', 'cancelled', 'exported'], 'completed'],
    [['cancelled'], 'completed'],
    [['completed', 'uploading'], 'uploading'],
    [['completed', 'started'], 'started'],
  ])('of %j is %s', (statuses, expected) => expect(bulkStatusOf(statuses)).toBe(expected));
});
