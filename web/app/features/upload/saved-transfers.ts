import { createStore, del, entries, get, set } from 'idb-keyval';
import { type ReceivedTicket, SAVED_TRANSFERS_KEY, type TransferSource, transferStore } from './transfer-store';

/** Lifetime of the longest upload address. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What continues a transfer after a reload, besides its file. */
interface SavedTransfer {
  readonly ticket: ReceivedTicket;
  readonly isSingle: boolean;
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

interface SavedFile {
  readonly file: File;
  readonly savedAt: number;
}

const files = createStore('clearframe-transfers', 'files');

/**
 * Keeps a transfer for a reload of this tab, with its file where the browser has room. Also deletes files of tabs that
 * were closed long ago.
 */
export async function save({ ticket, file, isSingle }: TransferSource): Promise<void> {
  const { name, size, lastModified } = file;
  write([...read().filter((saved) => !isOf(ticket.taskId)(saved)), { ticket, isSingle, name, size, lastModified }]);
  await ignoringStorageErrors(async () => {
    const stored: readonly [IDBValidKey, SavedFile][] = await entries(files);
    for (const [key, { savedAt }] of stored) if (Date.now() - savedAt > LIFETIME_MS) await del(key, files);
    if (stored.some(([key]) => key === ticket.taskId) || !read().some(isOf(ticket.taskId))) return;
    await set(ticket.taskId, { file, savedAt: Date.now() } satisfies SavedFile, files);
    // The transfer may have ended while the file was written.
    if (!read().some(isOf(ticket.taskId))) await del(ticket.taskId, files);
  });
}

export async function forgetSaved(taskId: string): Promise<void> {
  write(read().filter((saved) => !isOf(taskId)(saved)));
  await ignoringStorageErrors(() => del(taskId, files));
}

/** Null unless the file is the one of the saved transfer. */
export function findSaved(taskId: string, { name, size, lastModified }: File): SavedTransfer | null {
  const saved = read().find(isOf(taskId));
  return saved?.name === name && saved.size === size && saved.lastModified === lastModified ? saved : null;
}

/**
 * Adds the saved transfers to the store.
 * @returns ids of those whose file was kept
 */
export async function restoreSaved(): Promise<readonly string[]> {
  const complete: string[] = [];
  for (const { ticket, isSingle, name, size } of read()) {
    if (transferStore.get(ticket.taskId)) continue;
    const saved = await ignoringStorageErrors(() => get<SavedFile>(ticket.taskId, files));
    if (saved) {
      transferStore.add({ ticket, isSingle, file: saved.file });
      complete.push(ticket.taskId);
    } else {
      transferStore.set(ticket.taskId, {
        bulkUploadId: ticket.bulkUploadId,
        isSingle,
        isResumable: ticket.resumableUrl !== null,
        fileName: name,
        size,
        sent: 0,
        state: 'needsFile',
        problem: null,
        preview: null,
      });
    }
  }
  return complete;
}

const isOf =
  (taskId: string) =>
  ({ ticket }: SavedTransfer): boolean =>
    ticket.taskId === taskId;

function read(): readonly SavedTransfer[] {
  try {
    return JSON.parse(sessionStorage.getItem(SAVED_TRANSFERS_KEY) ?? '[]');
  } catch {
    return [];
  }
}

function write(saved: readonly SavedTransfer[]): void {
  try {
    if (saved.length === 0) sessionStorage.removeItem(SAVED_TRANSFERS_KEY);
    else sessionStorage.setItem(SAVED_TRANSFERS_KEY, JSON.stringify(saved));
  } catch {
    // Without storage, a reload loses the transfers.
  }
}

/** Private windows and full disks refuse to store. */
async function ignoringStorageErrors<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
