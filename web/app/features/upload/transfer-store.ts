import { useSyncExternalStore } from 'react';
import type { ProblemView } from '../../http/browser-client';

/** Where and how the page's script sends a file; contains no token. */
export interface UploadTicket {
  readonly bulkUploadId: string | null;
  readonly taskId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For a resumable upload by tus; null for small files. */
  readonly resumableUrl: string | null;
}

/** A ticket with the browser's time when it was received. */
export interface ReceivedTicket extends UploadTicket {
  readonly receivedAt: number;
}

/**
 * - `offline`: waits for the network
 * - `reconnecting`: a request failed while the browser was online; repeated after a pause
 * - `checking`: all bytes are sent, processing is being started
 * - `sent`: processing has started
 * - `needsFile`: the page was reloaded and the browser did not keep the file, see `provideFile`
 */
export type TransferState =
  | 'waiting'
  | 'sending'
  | 'paused'
  | 'offline'
  | 'reconnecting'
  | 'checking'
  | 'sent'
  | 'failed'
  | 'needsFile';

export interface Transfer {
  readonly ticket: ReceivedTicket;
  /** Null if the page was reloaded and the browser has not kept it. */
  readonly file: File | null;
  readonly fileName: string;
  /** Object URL of the file, until the transfer is forgotten; null without the file. */
  readonly preview: string | null;
  /** Uploaded alone, from the home page. */
  readonly isSingle: boolean;
  readonly state: TransferState;
  /** Fraction of the bytes sent, 0..1. */
  readonly sent: number;
  /** Only when `failed`. */
  readonly problem: ProblemView | null;
}

/** Transfers by task id, in the order of the files. */
export type Transfers = ReadonlyMap<string, Transfer>;

/** The upload was rejected, or the connection failed repeatedly. */
export class UploadError extends Error {
  override readonly name = 'UploadError';

  readonly problem: ProblemView;

  constructor(problem: ProblemView) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Resolves when the network is back, or after a pause. */
export function onceOnline(signal: AbortSignal, pauseMs?: number): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const options = { signal: ended.signal };
    window.addEventListener('online', () => resolve(), options);
    signal.addEventListener('abort', () => reject(signal.reason), options);
    if (signal.aborted) reject(signal.reason);
    if (pauseMs !== undefined) window.setTimeout(resolve, pauseMs);
  }).finally(() => ended.abort());
}

const NONE: Transfers = new Map();
/** States in which leaving the page loses work. */
const UNFINISHED: readonly TransferState[] = ['waiting', 'sending', 'paused', 'offline', 'reconnecting', 'checking'];

let transfers = NONE;
const listeners = new Set<() => void>();

/** Transfers of this document. They outlive pages within the product. */
export const transferStore = {
  all: (): Transfers => transfers,

  get: (taskId: string): Transfer | undefined => transfers.get(taskId),

  add({ file, ...kept }: Pick<Transfer, 'ticket' | 'file' | 'fileName' | 'isSingle'>): void {
    const state = file ? 'waiting' : 'needsFile';
    const preview = file && URL.createObjectURL(file);
    const transfer: Transfer = { ...kept, file, preview, state, sent: 0, problem: null };
    publish(new Map(transfers).set(kept.ticket.taskId, transfer));
  },

  /** Ignored for unknown transfers. */
  update(taskId: string, change: Partial<Transfer>): void {
    const transfer = transfers.get(taskId);
    if (transfer) publish(new Map(transfers).set(taskId, { ...transfer, ...change }));
  },

  delete(taskId: string): void {
    const preview = transfers.get(taskId)?.preview;
    if (preview) URL.revokeObjectURL(preview);
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
  window[isUnfinished ? 'addEventListener' : 'removeEventListener']('beforeunload', confirmUnfinished);
  for (const listener of listeners) listener();
}

/** Makes the browser ask before the page is closed or reloaded. */
export const confirmLeave = (event: Event): void => event.preventDefault();
/** A listener of its own: an upload has another one. */
const confirmUnfinished = (event: Event): void => confirmLeave(event);

/** All transfers of this document, whichever page started them. */
export const useTransfers = (): Transfers =>
  useSyncExternalStore(transferStore.subscribe, transferStore.all, () => NONE);

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
