import { useEffect } from 'react';
import { useToast } from './toast-list';

interface FlashNoticeProps {
  readonly id: string;
  readonly text: string;
  readonly delayMs?: number;
}

/** A flash message: a toast, or a line of the page without JavaScript. */
export function FlashNotice({ id, text, delayMs = 0 }: FlashNoticeProps) {
  const { showOnce } = useToast();
  useEffect(() => showOnce(id, text, { delayMs }), [showOnce, id, text, delayMs]);
  return (
    <p role="status" className="rounded-control bg-accent-soft px-4 py-3.5 text-accent-ink js:hidden">
      {text}
    </p>
  );
}
