import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ReactNode, useMemo } from 'react';
import { AppLink } from '../page/app-link';
import { ModalFrameProvider, type ModalSize } from './modal-frame';

interface ModalCardProps {
  readonly backTo: string;
  readonly backLabel: string;
  readonly size: ModalSize;
  readonly children: ReactNode;
}

/** A body of one column marks it, so that the link back is in line with it. */
const ONE_COLUMN = 'has-data-one-column:max-w-[41rem]';

const WIDTHS = { narrow: 'max-w-xl', wide: 'max-w-3xl', tabs: 'max-w-3xl', side: 'max-w-6xl' } as const;

export function ModalCard({ backTo, backLabel, size, children }: ModalCardProps) {
  const frame = useMemo(() => ({ mode: 'page', backTo }) as const, [backTo]);
  return (
    // Not centered vertically: content that loads later would move it.
    <div className="flex-1 px-5 pt-[clamp(1rem,6svh,5rem)] pb-10 sm:px-8">
      <section
        className={`mx-auto flex w-full flex-col gap-6 rounded-picture bg-raised p-6 shadow-float sm:p-10 ${
          WIDTHS[size]
        } ${ONE_COLUMN}`}
      >
        <AppLink
          to={backTo}
          className="link-quiet -my-2 flex min-h-11 items-center gap-2 self-start text-sm text-muted"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          {backLabel}
        </AppLink>
        <ModalFrameProvider value={frame}>{children}</ModalFrameProvider>
      </section>
    </div>
  );
}
