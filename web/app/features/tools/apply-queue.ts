import type { ErrorCode } from '@clearframe/contract';
import type { ProblemView } from '../../http/browser-client';
import type { TaskView } from '../tasks/task-view';
import { type Choices, isSameChoice } from './choices';
import { type ResultView, requiredPlanOf, type ToolsView } from './tools-view';

export interface Applied {
  /** A tool isn't in the plan: the result is a preview. */
  readonly isPreview: boolean;
  /** There was no run to cancel: it had ended. */
  readonly isTooLate: boolean;
}

/** No response, or a proxy's. */
export type ApplyProblem = ProblemView | 'unreachable';

export type OrderAnswer = Applied | { readonly problem: ApplyProblem };

/** Settings that the visitor wants, and the displayed result hasn't. */
export interface PendingChange {
  readonly choices: Choices;
  readonly keepLocation: boolean;
}

export interface Order {
  /** Ascending; answers to all but the latest are outdated. */
  readonly number: number;
  readonly intent: 'apply' | 'cancel';
  readonly change: PendingChange;
  /** The result to show once the run in progress is cancelled. */
  readonly existingId: string | null;
}

export interface RunProgress {
  /** 0..1; null before a worker has started. */
  readonly progress: number | null;
  readonly remainingSeconds: number | null;
}

/** What the panel applies. The newest change wins; the server gets one request at a time. */
export interface ApplyQueue {
  readonly pending: PendingChange | null;
  /** Further changes may join the pending one. */
  readonly isSettling: boolean;
  /** Sent and not yet answered. */
  readonly sending: Order | null;
  /** Sent after {@link sending}: of two requests the server may handle the later one first. */
  readonly next: Order | null;
  /** Incremented by orders and their answers: earlier states are outdated. */
  readonly number: number;
  readonly isRunning: boolean;
  readonly run: RunProgress;
  readonly problem: ApplyProblem | null;
  readonly target: { readonly id: string | null } | null;
  readonly shownId: string;
  /** The task has a newer result than the page: earlier ones are not its current state. */
  readonly isBehind: boolean;
}

export type ApplyEvent =
  | { readonly kind: 'wanted'; readonly change: PendingChange }
  /** No other change has followed for a while. */
  | { readonly kind: 'settled'; readonly change: PendingChange }
  | { readonly kind: 'retried' | 'discarded' | 'cancelled' }
  /** The page has new data. */
  | { readonly kind: 'viewed'; readonly view: ToolsView }
  | { readonly kind: 'answered'; readonly order: Order; readonly answer: OrderAnswer }
  /** `number` is the queue's when the state was requested. */
  | { readonly kind: 'polled'; readonly number: number; readonly task: TaskView };

export const queueOf = (task: TaskView, { shownId }: ToolsView, problem: ErrorCode | null): ApplyQueue => ({
  pending: null,
  isSettling: false,
  sending: null,
  next: null,
  number: 0,
  isRunning: task.state.kind !== 'done',
  run: runOf(task),
  problem: problem && { code: problem, requestId: '' },
  target: null,
  shownId,
  isBehind: false,
});

export function reduceQueue(queue: ApplyQueue, event: ApplyEvent, view: ToolsView): ApplyQueue {
  switch (event.kind) {
    case 'wanted':
      return { ...queue, pending: event.change, isSettling: true, problem: null };
    case 'settled':
      return event.change === queue.pending ? apply(queue, view) : queue;
    case 'retried':
      return apply(queue, view);
    case 'discarded':
      return discard(queue);
    case 'cancelled':
      return cancel(queue, view);
    case 'answered':
      return answered(queue, event, view);
    case 'polled':
      return polled(queue, event, view);
    case 'viewed':
      return viewed(queue, event.view);
  }
}

function apply(waiting: ApplyQueue, view: ToolsView): ApplyQueue {
  const queue = { ...waiting, isSettling: false, problem: null };
  const { pending } = queue;
  if (!pending) return queue;
  const existing = queue.isBehind ? undefined : resultWith(pending, view);
  if (!existing) return order(queue, 'apply', pending);
  return queue.isRunning ? order(queue, 'cancel', pending, existing.id) : show(queue, existing.id, view);
}

const discard = (queue: ApplyQueue): ApplyQueue => ({ ...queue, pending: null, isSettling: false, problem: null });

function cancel(queue: ApplyQueue, { results, shownId, keepLocation }: ToolsView): ApplyQueue {
  const shown = results.find(({ id }) => id === shownId);
  return shown ? order(discard(queue), 'cancel', { choices: shown.choices, keepLocation }) : discard(queue);
}

function order(
  queue: ApplyQueue,
  intent: Order['intent'],
  change: PendingChange,
  existingId: string | null = null,
): ApplyQueue {
  const added: Order = { number: queue.number + 1, intent, change, existingId };
  return {
    ...queue,
    number: added.number,
    isRunning: true,
    problem: null,
    ...(intent === 'apply' && { run: NO_PROGRESS }),
    ...(queue.sending ? { next: added } : { sending: added }),
  };
}

function answered(
  queue: ApplyQueue,
  { order: sent, answer }: Extract<ApplyEvent, { kind: 'answered' }>,
  view: ToolsView,
): ApplyQueue {
  const free: ApplyQueue = { ...queue, sending: queue.next, next: null };
  if (sent.number !== queue.number) return free;
  const current = { ...free, number: free.number + 1 };
  // A run that couldn't be cancelled continues.
  if ('problem' in answer) return { ...current, problem: answer.problem, isRunning: sent.intent === 'cancel' };
  if (sent.intent === 'apply') return current;
  if (answer.isTooLate) return sent.existingId === null ? current : order(current, 'apply', sent.change);
  const stopped = { ...current, isRunning: false };
  return sent.existingId === null ? stopped : show(stopped, sent.existingId, view);
}

function polled(
  queue: ApplyQueue,
  { number, task }: Extract<ApplyEvent, { kind: 'polled' }>,
  view: ToolsView,
): ApplyQueue {
  if (number !== queue.number || queue.sending) return queue;
  if (task.state.kind !== 'done') return { ...queue, run: runOf(task) };
  const ended: ApplyQueue = { ...queue, run: runOf(task), isRunning: false, problem: null };
  // The change is about to be sent.
  if (queue.isSettling) return { ...ended, isBehind: true };
  if (task.lastProblem) return { ...ended, problem: { code: task.lastProblem, requestId: '' } };
  return show(ended, task.newestOutputId, view);
}

/** Another result than before has the change. */
const viewed = (queue: ApplyQueue, { shownId }: ToolsView): ApplyQueue => ({
  ...queue,
  isBehind: false,
  target: null,
  shownId,
  ...(shownId !== queue.shownId && !queue.isSettling && { pending: null }),
});

const show = (queue: ApplyQueue, id: string | null, { shownId }: ToolsView): ApplyQueue =>
  id === shownId ? { ...queue, pending: null } : { ...queue, target: { id } };

const NO_PROGRESS: RunProgress = { progress: null, remainingSeconds: null };

const runOf = ({ state, remainingSeconds }: TaskView): RunProgress => ({
  progress: state.kind === 'working' ? state.progress : null,
  remainingSeconds,
});

/**
 * A result that the same order would give again. With another choice of the location it is a new one, so that archives
 * and the history download have the last choice.
 */
function resultWith({ choices, keepLocation }: PendingChange, { ownId, ...view }: ToolsView): ResultView | undefined {
  const newest = view.results.find(({ id }) => id === ownId);
  if (newest && newest.keepLocation !== keepLocation) return undefined;
  const isPreview = requiredPlanOf(choices, view) !== null;
  return view.results.find(
    (result) =>
      result.isCurrent &&
      result.keepLocation === keepLocation &&
      result.isPreview === isPreview &&
      isSameChoice(result.choices, choices),
  );
}
