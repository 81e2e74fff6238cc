import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'problem';
  readonly durationMs: number;
}

export interface ToastLabels {
  /** Names one message: 'Notification'. */
  readonly one: string;
  /** Names the place where they are: 'Notifications'. */
  readonly region: string;
}

/** Spec 2, section 9. */
const TOAST_DURATION_MS = 2000;

const NONE: readonly Toast[] = [];

let toasts = NONE;
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/**
 * Says something in passing, on top of those that are still there.
 * @returns takes it away before its time
 */
function show(text: string, options: Partial<Pick<Toast, 'kind' | 'durationMs'>> = {}): () => void {
  lastId += 1;
  const id = lastId;
  replace([...toasts, { kind: 'done', durationMs: TOAST_DURATION_MS, ...options, id, text }]);
  return () => dismiss(id);
}

function dismiss(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The toasts on the screen; there are none in what the server renders. */
export const useToasts = () =>
  useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );

/** To say something in passing. The list outlives the page that said it. */
export const useToast = () => ({ show, dismiss });
