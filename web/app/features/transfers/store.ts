import { useSyncExternalStore } from 'react';
import type { ReceivedTicket, Transfer, TransferState, Transfers } from './transfer';

/** What a transfer sends, and where. */
export interface TransferSource {
  readonly ticket: ReceivedTicket;
  readonly file: File;
  readonly isSingle: boolean;
}

const NONE: Transfers = new Map();
/** States in which leaving the page loses work. */
const UNFINISHED: readonly TransferState[] = ['waiting', 'sending', 'paused', 'offline', 'reconnecting', 'checking'];

let transfers = NONE;
const listeners = new Set<() => void>();

/** Transfers of this document. They outlive pages within the product. */
export const transferStore = {
  sources: new Map<string, TransferSource>(),

  get: (taskId: string): Transfer | undefined => transfers.get(taskId),

  add(source: TransferSource): void {
    const { ticket, file, isSingle } = source;
    transferStore.sources.set(ticket.taskId, source);
    transferStore.set(ticket.taskId, {
      bulkUploadId: ticket.bulkUploadId,
      isSingle,
      isResumable: ticket.resumableUrl !== null,
      fileName: file.name,
      size: file.size,
      sent: 0,
      state: 'waiting',
      problem: null,
      preview: URL.createObjectURL(file),
    });
  },

  set(taskId: string, transfer: Transfer): void {
    publish(new Map(transfers).set(taskId, transfer));
  },

  /** Ignored for unknown transfers. */
  update(taskId: string, change: Partial<Transfer>): void {
    const transfer = transfers.get(taskId);
    if (transfer) transferStore.set(taskId, { ...transfer, ...change });
  },

  delete(taskId: string): void {
    const preview = transfers.get(taskId)?.preview;
    if (preview) URL.revokeObjectURL(preview);
    transferStore.sources.delete(taskId);
    const rest = new Map(transfers);
    if (rest.delete(taskId)) publish(rest);
  },

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function publish(next: Transfers): void {
  transfers = next;
  const isUnfinished = [...next.values()].some(({ state }) => UNFINISHED.includes(state));
  window[isUnfinished ? 'addEventListener' : 'removeEventListener']('beforeunload', confirmLeave);
  for (const listener of listeners) listener();
}

/** Makes the browser ask before the page is closed or reloaded. */
const confirmLeave = (event: Event): void => event.preventDefault();

/** All transfers of this document, whichever page started them. */
export const useTransfers = (): Transfers =>
  useSyncExternalStore(
    transferStore.subscribe,
    () => transfers,
    () => NONE,
  );

/** In the session storage: a list of `SavedTransfer`. Other tabs don't see it. */
export const SAVED_TRANSFERS_KEY = 'clearframe.transfers';

/** False where the browser allows no storage. */
export function hasSavedTransfers(): boolean {
  try {
    return sessionStorage.getItem(SAVED_TRANSFERS_KEY) !== null;
  } catch {
    return false;
  }
}

/** The file of a transfer, unless the page was reloaded and the browser has not kept it. */
export const fileOf = (taskId: string): File | null => transferStore.sources.get(taskId)?.file ?? null;
