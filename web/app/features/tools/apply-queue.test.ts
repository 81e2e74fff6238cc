import { expect, test } from 'vitest';
import { TASK_ID } from '../../../test/wire';
import type { TaskView } from '../tasks/task-view';
import type { OrderAnswer } from './apply-queue';
import { type ApplyEvent, type ApplyQueue, type Order, type PendingChange, queueOf, reduceQueue } from './apply-queue';
import { choicesOf, withTool } from './choices';
import type { ResultView, ToolsView } from './tools-view';

const changeOf = (model: string | null): PendingChange => ({
  choices: withTool(choicesOf({}), 'colorEnhance', { model }),
  keepLocation: false,
});
const PLAIN = changeOf(null);
const GOLDEN = changeOf('golden');
const TEAL = changeOf('teal');

const resultOf = (id: string, number: number, { choices, keepLocation }: PendingChange): ResultView => ({
  id,
  number,
  choices,
  keepLocation,
  isPreview: false,
  isCurrent: true,
  thumbnailUrl: null,
  url: `/media/${id}`,
  mediumUrl: null,
  width: 10,
  height: 10,
  changesUrl: null,
});

const viewOf = (results: readonly ResultView[], shownId = results[0]?.id ?? ''): ToolsView => ({
  bulkUploadId: TASK_ID,
  sections: [],
  results,
  shownId,
  comparedId: null,
  ownId: results[0]?.id ?? null,
  keepLocation: false,
  isSepia: false,
  faces: [],
  details: {
    fileName: null,
    originalType: 'JPEG',
    originalSize: null,
    originalBytes: null,
    originalHash: null,
    originalAddress: null,
    resultType: 'JPEG',
    resultSize: { width: 10, height: 10 },
    isScaledDown: false,
    networks: [],
  },
  maxSide: 2048,
  originalSizePlan: null,
  savedChoices: PLAIN.choices,
  canSaveDefault: false,
  offer: null,
  showsNewModels: false,
  prices: { personal: null, business: null },
});

const FIRST = viewOf([resultOf('1', 1, PLAIN)]);
const SECOND = viewOf([resultOf('2', 2, GOLDEN), resultOf('1', 1, PLAIN)]);

const taskOf = (changes: Partial<TaskView>): TaskView => ({
  taskId: TASK_ID,
  batchId: null,
  state: { kind: 'done' },
  remainingSeconds: null,
  exportState: 'none',
  isTest: false,
  mediaType: 'image',
  duration: null,
  fileName: null,
  display: {
    inputUrl: null,
    inputMediumUrl: null,
    outputUrl: null,
    thumbnailUrl: null,
    inputThumbnailUrl: null,
    width: null,
    height: null,
  },
  output: null,
  newestOutputId: '1',
  uploadProblem: null,
  lastProblem: null,
  expiresAt: '2026-01-02T00:00:00.000Z',
  ...changes,
});

const APPLIED = { isPreview: false, isTooLate: false };

/** A queue with the functions of its page; `view` is what the page shows. */
function startQueue(view: ToolsView, task = taskOf({})) {
  let queue: ApplyQueue = queueOf(task, view, null);
  let page = view;
  const handle = (event: ApplyEvent) => {
    queue = reduceQueue(queue, event, page);
  };
  return {
    state: () => queue,
    handle,
    apply: (change: PendingChange) => {
      handle({ kind: 'wanted', change });
      handle({ kind: 'settled', change });
    },
    answer: (answer: OrderAnswer, order: Order | null = queue.sending) => {
      if (order) handle({ kind: 'answered', order, answer });
    },
    poll: (changes: Partial<TaskView>, number = queue.number) =>
      handle({ kind: 'polled', number, task: taskOf(changes) }),
    show: (next: ToolsView) => {
      page = next;
      handle({ kind: 'viewed', view: next });
    },
  };
}

test('a change is sent once it has settled, and its result is shown', () => {
  const { state, handle, answer, poll, show } = startQueue(FIRST);
  handle({ kind: 'wanted', change: TEAL });
  handle({ kind: 'wanted', change: GOLDEN });
  // The time of the change before.
  handle({ kind: 'settled', change: TEAL });
  expect(state()).toMatchObject({ pending: GOLDEN, isSettling: true, sending: null });
  handle({ kind: 'settled', change: GOLDEN });
  expect(state()).toMatchObject({ isRunning: true, sending: { intent: 'apply', change: GOLDEN } });
  answer(APPLIED);
  poll({ state: { kind: 'working', progress: 0.4 }, remainingSeconds: 12 });
  expect(state()).toMatchObject({ sending: null, run: { progress: 0.4, remainingSeconds: 12 } });
  poll({ newestOutputId: '2' });
  expect(state()).toMatchObject({ isRunning: false, target: { id: '2' }, pending: GOLDEN });
  show(SECOND);
  expect(state()).toMatchObject({ target: null, pending: null });
});

test('requests are sent one after the other, and the newest change wins', () => {
  const { state, apply, answer, poll } = startQueue(FIRST);
  apply(GOLDEN);
  const first = state().sending;
  apply(TEAL);
  expect(state()).toMatchObject({ sending: { change: GOLDEN }, next: { change: TEAL } });
  poll({ newestOutputId: '2' });
  expect(state()).toMatchObject({ isRunning: true, target: null });
  answer({ problem: 'unreachable' }, first);
  expect(state()).toMatchObject({ sending: { change: TEAL }, next: null, problem: null, isRunning: true });
});

test('a state that was requested before an order is outdated', () => {
  const { state, apply, answer, poll } = startQueue(FIRST);
  const { number } = state();
  apply(GOLDEN);
  answer(APPLIED);
  poll({ newestOutputId: '1' }, number);
  expect(state()).toMatchObject({ isRunning: true, pending: GOLDEN });
});

test('an earlier result with the same tools needs no run', () => {
  const { state, apply } = startQueue(SECOND);
  apply(PLAIN);
  expect(state()).toMatchObject({ sending: null, isRunning: false, target: { id: '1' } });
});

test('the run in progress is cancelled before an earlier result is shown', () => {
  const { state, apply, answer } = startQueue(SECOND);
  apply(TEAL);
  answer(APPLIED);
  apply(PLAIN);
  expect(state().sending).toMatchObject({ intent: 'cancel', existingId: '1' });
  answer(APPLIED);
  expect(state()).toMatchObject({ isRunning: false, target: { id: '1' } });
});

test('a run that ended before it was cancelled is followed by a new one', () => {
  const { state, apply, answer } = startQueue(SECOND);
  apply(TEAL);
  answer(APPLIED);
  apply(PLAIN);
  answer({ isPreview: false, isTooLate: true });
  expect(state()).toMatchObject({ isRunning: true, sending: { intent: 'apply', change: PLAIN } });
});

test('the result of a run that ended as it was cancelled is shown', () => {
  const { state, handle, apply, answer, poll } = startQueue(FIRST);
  apply(GOLDEN);
  answer(APPLIED);
  handle({ kind: 'cancelled' });
  answer({ isPreview: false, isTooLate: true });
  expect(state()).toMatchObject({ isRunning: true, pending: null });
  poll({ newestOutputId: '2' });
  expect(state()).toMatchObject({ isRunning: false, target: { id: '2' } });
});

test('a cancelled run leaves the displayed result', () => {
  const { state, handle, apply, answer } = startQueue(FIRST);
  apply(GOLDEN);
  answer(APPLIED);
  handle({ kind: 'cancelled' });
  answer(APPLIED);
  expect(state()).toMatchObject({ isRunning: false, pending: null, target: null });
});

test('a refused change is kept, and sent again or discarded', () => {
  const { state, handle, apply, answer } = startQueue(FIRST);
  apply(GOLDEN);
  answer({ problem: 'unreachable' });
  expect(state()).toMatchObject({ problem: 'unreachable', pending: GOLDEN, isRunning: false });
  handle({ kind: 'retried' });
  expect(state()).toMatchObject({ problem: null, sending: { change: GOLDEN } });
  answer({ problem: { code: 'queue.full', requestId: '' } });
  handle({ kind: 'discarded' });
  expect(state()).toMatchObject({ problem: null, pending: null, isRunning: false });
});

test('a change that settles as a run ends is not compared with results that the page does not know', () => {
  const { state, handle, apply, answer, poll } = startQueue(FIRST);
  apply(GOLDEN);
  answer(APPLIED);
  handle({ kind: 'wanted', change: PLAIN });
  poll({ newestOutputId: '2' });
  expect(state()).toMatchObject({ isBehind: true, target: null, pending: PLAIN });
  handle({ kind: 'settled', change: PLAIN });
  expect(state().sending).toMatchObject({ intent: 'apply', change: PLAIN });
});

test('a failed run says why', () => {
  const { state, apply, answer, poll } = startQueue(FIRST);
  apply(GOLDEN);
  answer(APPLIED);
  poll({ lastProblem: 'tasks.timed_out' });
  expect(state()).toMatchObject({ problem: { code: 'tasks.timed_out' }, pending: GOLDEN, isRunning: false });
});
