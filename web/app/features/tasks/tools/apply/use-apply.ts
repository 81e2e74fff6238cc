import type { ErrorCode } from '@clearframe/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAppNavigate } from '../../../../ui/page/app-link';
import { usePolling } from '../../processing/use-polling';
import type { TaskView } from '../../task/task-view';
import { fetchTask } from '../../task/use-task';
import { type Choices, isSameChoice } from '../choices/choices';
import { requiredPlanOf } from '../view/required-plan';
import type { ResultView, ToolsView } from '../view/tools-view';
import { type Applied, type ApplyProblem, sendTools } from './apply-requests';
import { resultAddress } from './result-address';

/** Settings that the visitor wants, and the displayed result hasn't. */
export interface PendingChange {
  readonly choices: Choices;
  readonly keepLocation: boolean;
}

export type ApplyState =
  | { readonly kind: 'idle' }
  /** `progress` is 0..1; null before a worker has started. */
  | { readonly kind: 'running'; readonly progress: number | null }
  | { readonly kind: 'refused'; readonly problem: ApplyProblem };

/** Changes within this time join one run. */
const SETTLE_MS = 500;
/** Pause before an order that got no answer is sent again. */
const RETRY_MS = 10_000;

/**
 * Applies changes by themselves. The newest change wins: it replaces a run in progress, is kept while it is refused or
 * the visitor is offline, and needs no run when an earlier result has the same settings.
 */
export function useApply(initial: TaskView, view: ToolsView, initialProblem: ErrorCode | null) {
  const navigate = useAppNavigate();
  const { taskId } = initial;
  const [pending, setPending] = useState<PendingChange | null>(null);
  const [problem, setProblem] = useState<ApplyProblem | null>(
    initialProblem && { code: initialProblem, requestId: '' },
  );
  const [isRunning, setRunning] = useState(initial.state.kind !== 'done');
  const [progress, setProgress] = useState(progressOf(initial));
  const latest = useRef<PendingChange | null>(null);
  const timer = useRef<number | undefined>(undefined);
  /** Incremented by orders: states that were requested before the last one are outdated. */
  const order = useRef(0);
  /** Orders without an answer: the task's state may be the one before them. */
  const unanswered = useRef(0);
  const lastRequest = useRef<Promise<unknown>>(Promise.resolve());
  /** The task has a newer result than the page: earlier ones are not its current state. */
  const isBehind = useRef(false);

  const change = useCallback((next: PendingChange | null) => {
    latest.current = next;
    setPending(next);
  }, []);
  const show = (outputId: string | null): void =>
    navigate(resultAddress(taskId, outputId), { replace: true, preventScrollReset: true });

  /** Resolves to null when the order is refused or there is a later one. */
  const send = (intent: 'apply' | 'cancel', settings: PendingChange): Promise<Applied | null> => {
    unanswered.current += 1;
    return sendLatest(intent, settings).finally(() => {
      unanswered.current -= 1;
    });
  };
  const sendLatest = async (
    intent: 'apply' | 'cancel',
    { choices, keepLocation }: PendingChange,
  ): Promise<Applied | null> => {
    order.current += 1;
    const current = order.current;
    setProblem(null);
    setRunning(true);
    // One at a time: of two requests the server may handle the later one first.
    await lastRequest.current;
    if (current !== order.current) return null;
    const request = sendTools({ taskId, bulkUploadId: view.bulkUploadId, choices, keepLocation }, intent);
    lastRequest.current = request;
    const answer = await request;
    if (current !== order.current) return null;
    order.current += 1;
    if (!('problem' in answer)) return answer;
    setProblem(answer.problem);
    setRunning(false);
    return null;
  };

  const apply = async (next: PendingChange): Promise<void> => {
    timer.current = undefined;
    const existing = isBehind.current ? undefined : resultWith(next, view);
    const cancelled = existing && isRunning ? await send('cancel', next) : undefined;
    if (cancelled === null) return;
    if (!existing || cancelled?.isTooLate) {
      setProgress(null);
      await send('apply', next);
      return;
    }
    setRunning(false);
    if (existing.id === view.shownId) change(null);
    else show(existing.id);
  };
  const applyLatest = useRef(apply);
  applyLatest.current = apply;

  const want = (next: PendingChange): void => {
    change(next);
    setProblem(null);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void applyLatest.current(next), SETTLE_MS);
  };
  const retry = useCallback((): void => {
    setProblem(null);
    if (latest.current) void applyLatest.current(latest.current);
  }, []);
  const discard = (): void => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    setProblem(null);
    change(null);
  };
  const cancel = async (): Promise<void> => {
    const shown = view.results.find(({ id }) => id === view.shownId);
    discard();
    if (shown && (await send('cancel', { choices: shown.choices, keepLocation: view.keepLocation }))) setRunning(false);
  };

  const poll = async (): Promise<void> => {
    if (unanswered.current > 0) return;
    const current = order.current;
    const task = await fetchTask(taskId).catch(() => null);
    if (!task || current !== order.current) return;
    setProgress(progressOf(task));
    if (task.state.kind !== 'done') return;
    setRunning(false);
    // A later change is about to be sent.
    if (timer.current !== undefined) {
      isBehind.current = true;
      return;
    }
    if (task.lastProblem) setProblem({ code: task.lastProblem, requestId: '' });
    else if (task.newestOutputId === view.shownId) change(null);
    else show(task.newestOutputId);
  };
  const pollLatest = useRef(poll);
  pollLatest.current = poll;
  usePolling(
    useCallback(() => pollLatest.current(), []),
    isRunning,
    true,
  );

  const viewBefore = useRef(view);
  useEffect(() => {
    if (viewBefore.current !== view) isBehind.current = false;
    viewBefore.current = view;
  }, [view]);
  const shownBefore = useRef(view.shownId);
  useEffect(() => {
    if (shownBefore.current === view.shownId) return;
    shownBefore.current = view.shownId;
    // The result displayed now has the change.
    if (timer.current === undefined) change(null);
  }, [view.shownId, change]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const isUnreachable = problem === 'unreachable';
  useEffect(() => {
    if (!isUnreachable) return;
    window.addEventListener('online', retry);
    // Just after that event, and on a slow network, a request may fail too.
    const repeat = window.setInterval(() => navigator.onLine && latest.current && retry(), RETRY_MS);
    return () => {
      window.removeEventListener('online', retry);
      window.clearInterval(repeat);
    };
  }, [isUnreachable, retry]);

  const state: ApplyState = problem
    ? { kind: 'refused', problem }
    : isRunning
      ? { kind: 'running', progress }
      : { kind: 'idle' };
  return { pending, state, want, retry, discard, cancel };
}

const progressOf = ({ state }: TaskView): number | null => (state.kind === 'working' ? state.progress : null);

/**
 * A result that the same order would give again. Another choice of the location is a new result, so that the newest one,
 * which archives and the history download, has the last choice.
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
