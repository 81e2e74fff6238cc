import type { LucideIcon } from 'lucide-react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { useModalFrame } from '../../ui/modal/modal-frame';

export function Group({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  // One level below the modal's heading.
  const Heading = useModalFrame().mode === 'page' ? 'h2' : 'h3';
  return (
    <section className="flex flex-col gap-2">
      {title && <Heading className="px-1 text-sm font-medium text-muted">{title}</Heading>}
      <div className="flex flex-col gap-1 rounded-card bg-well p-2">{children}</div>
    </section>
  );
}

export const ROW =
  'flex min-h-12 w-full items-center gap-3.5 rounded-control px-3 py-2 text-start font-medium transition hover:bg-quiet';

interface RowContentsProps {
  readonly icon: LucideIcon;
  readonly value?: ReactNode;
  readonly children: ReactNode;
}

export function RowContents({ icon: Icon, value, children }: RowContentsProps) {
  return (
    <>
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      {/* Breaks between words only, so that a long value wraps before the title does. */}
      <span className="min-w-min flex-1 wrap-normal">{children}</span>
      {value && <span className="min-w-0 text-end text-sm font-normal text-muted">{value}</span>}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
    </>
  );
}
