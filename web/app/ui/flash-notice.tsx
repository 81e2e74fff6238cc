import { useEffect } from 'react';
import { useToast } from './toast-list';

/**
 * What the page before had to say. With script it passes as a toast; without, it stands at the top of the page.
 * Give it a key that differs from message to message.
 */
export function FlashNotice({ text }: { readonly text: string }) {
  const { show } = useToast();
  useEffect(() => show(text), [show, text]);
  return (
    <p role="status" className="rounded-control bg-accent-soft px-4 py-3.5 text-accent-ink js:hidden">
      {text}
    </p>
  );
}
