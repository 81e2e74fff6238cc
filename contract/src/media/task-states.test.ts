import { describe, expect, it } from 'vitest';
import {
  bulkStatusOf,
  canTransition,
  hasResult,
  isFinal,
  isRunning,
  TASK_STATUSES,
  type TaskStatus,
} from './task-states.js';

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
  'invalid > started',
];

describe('the states of a task', () => {
  it('allow exactly the transitions of the table', () => {
    const transitions = TASK_STATUSES.flatMap((from) =>
      TASK_STATUSES.filter((to) => canTransition(from, to)).map((to) => `${from} > ${to}`),
    );
    expect(transitions.sort()).toEqual([...ALLOWED].sort());
  });

  it.each<[string, (status: TaskStatus) => boolean, TaskStatus[]]>([
    ['final', isFinal, ['completed', 'exported', 'failed', 'invalid', 'cancelled']],
    ['running', isRunning, ['processing', 'reprocessing']],
    ['with a result', hasResult, ['completed', 'exported']],
  ])('that are %s', (_what, is, expected) => expect(TASK_STATUSES.filter(is)).toEqual(expected));

  it('are all reachable from the first', () => {
    const reached = new Set<TaskStatus>(['pristine']);
    for (const from of reached) for (const to of TASK_STATUSES) if (canTransition(from, to)) reached.add(to);
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
