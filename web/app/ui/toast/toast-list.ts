import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'problem';
  readonly durationMs: number;
}

export interface ToastLabels {
  /** Accessible name of a toast: 'Notification'. */
  readonly one: string;
  /** Accessible name of the region: 'Notifications'. */
  readonly region: string;
}

/** Spec 2, section 9. */
export const TOAST_DURATION_MS = 2000;

const NONE: readonly Toast[] = [];

let toasts = NONE;
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export interface ToastOptions extends Partial<Pick<Toast, 'kind' | 'durationMs'>> {
  readonly delayMs?: number;
}

/** @returns dismisses the toast, or cancels it during its delay */
function show(text: string, { delayMs = 0, ...options }: ToastOptions = {}): () => void {
  if (delayMs === 0) return add(text, options);
  let dismissEarly = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    dismissEarly = add(text, options);
  }, delayMs);
  return () => dismissEarly();
}

const shownOnce = new Set<string>();

/** Shows a toast unless one with this key was shown before. The toast outlives the component. */
function showOnce(key: string, text: string, options?: ToastOptions): void {
  if (shownOnce.has(key)) return;
  shownOnce.add(key);
  show(text, options);
}

function add(text: string, options: Partial<Pick<Toast, 'kind' | 'durationMs'>>): () => void {
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

/** Empty on the server. */
export const useToasts = () =>
  useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );

/** The list is global, so that toasts outlive navigations. */
export const useToast = () => ({ show, showOnce, dismiss });
