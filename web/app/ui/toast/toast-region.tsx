import { lazy, Suspense } from 'react';
import { type ToastLabels, useToasts } from './toast-list';

const ToastStack = lazy(async () => ({ default: (await import('./toast-stack')).ToastStack }));

/** Where toasts appear; once in the document. What they need is fetched with the first one. */
export function ToastRegion({ labels }: { readonly labels: ToastLabels }) {
  const toasts = useToasts();
  // No boundary without toasts: one that a page's first message hits while it is still hydrated fails.
  if (toasts.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ToastStack toasts={toasts} labels={labels} />
    </Suspense>
  );
}
