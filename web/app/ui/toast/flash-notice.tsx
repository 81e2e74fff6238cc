import { useEffect } from 'react';
import { Notice } from '../content/notice';
import { TOAST_DURATION_MS, type ToastOptions, useToast } from './toast-list';

interface FlashNoticeProps extends ToastOptions {
  readonly id: string;
  readonly text: string;
  /** For what the page says nowhere else: a line that stays. */
  readonly isLasting?: boolean;
}

/** A toast, or a line of the page: without JavaScript, or to be read in one's own time. */
export function FlashNotice({
  id,
  text,
  kind = 'done',
  durationMs = TOAST_DURATION_MS,
  delayMs = 0,
  isLasting = false,
}: FlashNoticeProps) {
  const { showOnce } = useToast();
  useEffect(() => {
    if (!isLasting) showOnce(id, text, { kind, durationMs, delayMs });
  }, [showOnce, id, text, kind, durationMs, delayMs, isLasting]);
  const visibility = isLasting ? '' : 'js:hidden';
  if (kind === 'problem') {
    return (
      <div className={visibility}>
        <Notice>{text}</Notice>
      </div>
    );
  }
  return (
    <p role="status" className={`rounded-control bg-accent-soft px-4 py-3.5 text-accent-ink ${visibility}`}>
      {text}
    </p>
  );
}
