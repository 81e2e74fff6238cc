import type { RefObject } from 'react';
import { useToast } from '../toast/toast-list';

interface CopyTexts {
  readonly copied: string;
  /** Shown when the browser refuses: the field is selected then. */
  readonly failed: string;
}

export function useCopy(field: RefObject<HTMLInputElement | null>, { copied, failed }: CopyTexts): () => Promise<void> {
  const { show } = useToast();
  return async () => {
    try {
      await navigator.clipboard.writeText(field.current?.value ?? '');
      show(copied);
    } catch {
      // Blocked, or a page without HTTPS.
      field.current?.select();
      show(failed, { kind: 'problem' });
    }
  };
}
