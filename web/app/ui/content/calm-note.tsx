import type { ReactNode } from 'react';

/** One message about something that is as it should be. */
export function CalmNote({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="rounded-control bg-accent-soft px-4 py-3.5 text-pretty text-accent-ink">
      {children}
    </p>
  );
}
