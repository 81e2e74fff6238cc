import type { ErrorCode } from '@clearframe/contract';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { send, UNREACHABLE } from '../../http/browser-client';
import { readShown, shortPollMs, useData } from '../../http/use-data';
import { versionAddress } from '../../session/task-addresses';
import { useAppNavigate } from '../../ui/page/app-link';
import { type TaskView, taskDataAddress } from '../tasks/task-view';
import { useProcessOperation } from '../tasks/use-task';
import {
  type Applied,
  type ApplyEvent,
  type ApplyProblem,
  type ApplyQueue,
  type OrderAnswer,
  type PendingChange,
  queueOf,
  type RunProgress,
  reduceQueue,
} from './apply-queue';
import { type Choices, fieldsOf } from './choices';
import type { ToolsForm } from './tools-form';
import type { ToolsView } from './tools-view';

export interface ToolsOrder {
  readonly taskId: string;
  readonly bulkUploadId: string;
  readonly choices: Choices;
  readonly keepLocation: boolean;
}

export const TOOLS_ACTION = '/result/tools';

export async function sendTools(order: ToolsOrder, intent: ToolsForm['intent']): Promise<OrderAnswer> {
  const { taskId, bulkUploadId, choices, keepLocation } = order;
  const { body, problem } = await send<Applied>(TOOLS_ACTION, {
    ...fieldsOf(choices),
    taskId,
    bulkUploadId,
    intent,
    ...(keepLocation ? { keepLocation: 'yes' } : {}),
    replaces: 'yes',
  });
  return problem ? { problem: problem === UNREACHABLE ? 'unreachable' : problem } : body;
}

export type ApplyState =
  | { readonly kind: 'idle' }
  | ({ readonly kind: 'running' } & RunProgress)
  | { readonly kind: 'refused'; readonly problem: ApplyProblem };

/** Changes within this time join one run. */
const SETTLE_MS = 500;
/** Pause before a request without a response is sent again. */
const RETRY_MS = 10_000;

/**
 * The newest change wins: it replaces a run in progress, is kept while it is refused or offline, and needs no run when
 * an earlier result has the same settings.
 */
export function useApply(task: TaskView, view: ToolsView, initialProblem: ErrorCode | null) {
  const navigate = useAppNavigate();
  const { taskId } = task;
  const { bulkUploadId, shownId } = view;
  const [queue, dispatch] = useReducer(
    (current: ApplyQueue, event: ApplyEvent) => reduceQueue(current, event, view),
    null,
    () => queueOf(task, view, initialProblem),
  );
  const { pending, isSettling, sending, number, isRunning, problem, target } = queue;

  useEffect(() => {
    if (!isSettling || !pending) return;
    const timer = window.setTimeout(() => dispatch({ kind: 'settled', change: pending }), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [isSettling, pending]);

  useEffect(() => {
    if (!sending) return;
    void sendTools({ taskId, bulkUploadId, ...sending.change }, sending.intent).then((answer) =>
      dispatch({ kind: 'answered', order: sending, answer }),
    );
  }, [sending, taskId, bulkUploadId]);

  useEffect(() => {
    if (target && target.id !== shownId)
      navigate(versionAddress(taskId, target.id), { replace: true, preventScrollReset: true });
  }, [target, shownId, taskId, navigate]);

  useEffect(() => dispatch({ kind: 'viewed', view }), [view]);

  // Most runs take a second.
  const polls = useRef(0);
  const nextPollMs = useCallback(() => shortPollMs(polls.current), []);
  useData<TaskView>(isRunning && !sending ? [taskDataAddress(taskId), number] : null, {
    request: readShown,
    refreshInterval: nextPollMs,
    dedupingInterval: 0,
    onSuccess: (polled) => {
      polls.current += 1;
      dispatch({ kind: 'polled', number, task: polled });
    },
  });
  useEffect(() => {
    if (isRunning) polls.current = 0;
  }, [isRunning]);
  useProcessOperation('image', [{ taskId, state: processOf(queue) }]);

  const isUnreachable = problem === 'unreachable' && pending !== null;
  useEffect(() => {
    if (!isUnreachable) return;
    const retry = () => dispatch({ kind: 'retried' });
    window.addEventListener('online', retry);
    // Just after that event, and on a slow network, a request may fail too.
    const repeat = window.setInterval(() => navigator.onLine && retry(), RETRY_MS);
    return () => {
      window.removeEventListener('online', retry);
      window.clearInterval(repeat);
    };
  }, [isUnreachable]);

  return {
    pending,
    state: stateOf(queue),
    want: (next: PendingChange) => dispatch({ kind: 'wanted', change: next }),
    retry: () => dispatch({ kind: 'retried' }),
    discard: () => dispatch({ kind: 'discarded' }),
    cancel: () => dispatch({ kind: 'cancelled' }),
  };
}

function processOf({ isRunning, problem, sending }: ApplyQueue) {
  if (isRunning && sending?.intent !== 'cancel') return { kind: 'working' };
  if (isRunning) return { kind: 'cancelled' };
  return problem && problem !== 'unreachable' ? { kind: 'failed', code: problem.code } : { kind: 'done' };
}

function stateOf({ problem, isRunning, run }: ApplyQueue): ApplyState {
  if (problem) return { kind: 'refused', problem };
  return isRunning ? { kind: 'running', ...run } : { kind: 'idle' };
}
