import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import type { ReactNode } from 'react';

export function Notice({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <div
      id={id}
      role="alert"
      className="flex gap-3 rounded-2xl bg-alert px-4 py-3.5 text-start text-[0.9375rem] text-on-alert"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 text-pretty">{children}</div>
    </div>
  );
}

export function StatusNote({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="rounded-control bg-accent-soft px-4 py-3.5 text-pretty text-accent-ink">
      {children}
    </p>
  );
}
