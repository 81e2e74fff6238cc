import { lazy, Suspense } from 'react';
import { type ToastLabels, useToasts } from './toast-list';

const ToastStack = lazy(async () => ({ default: (await import('./toast-stack')).ToastStack }));

/** Loads the component with the first toast; once per document. */
export function ToastRegion({ labels }: { readonly labels: ToastLabels }) {
  const toasts = useToasts();
  // An update inside of a Suspense boundary that is still hydrating fails: no boundary without toasts.
  if (toasts.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ToastStack toasts={toasts} labels={labels} />
    </Suspense>
  );
}
