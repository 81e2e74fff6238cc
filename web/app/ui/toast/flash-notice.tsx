import { useEffect } from 'react';
import { useToast } from './toast-list';

interface FlashNoticeProps {
  /** Differs from message to message. */
  readonly id: string;
  readonly text: string;
  /** Milliseconds before the toast appears. */
  readonly delayMs?: number;
}

/** A message of the previous page: a toast with script, a line at the top of the page without. */
export function FlashNotice({ id, text, delayMs = 0 }: FlashNoticeProps) {
  const { showOnce } = useToast();
  useEffect(() => showOnce(id, text, { delayMs }), [showOnce, id, text, delayMs]);
  return (
    <p role="status" className="rounded-control bg-accent-soft px-4 py-3.5 text-accent-ink js:hidden">
      {text}
    </p>
  );
}
