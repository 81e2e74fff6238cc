import { hasSavedTransfers } from './store';

/** Few visitors need the code for it. */
export function restoreTransfers(): void {
  if (hasSavedTransfers()) void import('./transfers').then(({ restoreSavedTransfers }) => restoreSavedTransfers());
}
