import { hasSavedTransfers } from './store';

/** Continues the transfers that this tab had before it was reloaded. Few visitors need the code for it. */
export function restoreTransfers(): void {
  if (hasSavedTransfers()) void import('./transfers').then(({ restoreSavedTransfers }) => restoreSavedTransfers());
}
