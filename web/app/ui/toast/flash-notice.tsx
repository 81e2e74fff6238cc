import { useEffect } from 'react';
import { Notice } from '../content/notice';
import { TOAST_DURATION_MS, type ToastOptions, useToast } from './toast-list';

interface FlashNoticeProps extends ToastOptions {
  readonly id: string;
  readonly text: string;
}

/** A toast, or a line of the page without JavaScript. */
export function FlashNotice({
  id,
  text,
  kind = 'done',
  durationMs = TOAST_DURATION_MS,
  delayMs = 0,
}: FlashNoticeProps) {
  const { showOnce } = useToast();
  useEffect(() => showOnce(id, text, { kind, durationMs, delayMs }), [showOnce, id, text, kind, durationMs, delayMs]);
  if (kind === 'problem') {
    return (
      <div className="js:hidden">
        <Notice>{text}</Notice>
      </div>
    );
  }
  return (
    <p role="status" className="rounded-control bg-accent-soft px-4 py-3.5 text-accent-ink js:hidden">
      {text}
    </p>
  );
}
