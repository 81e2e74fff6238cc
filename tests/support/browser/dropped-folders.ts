import type { Page } from 'playwright-core';

/** Drops folders with one photo, one after the other in the same task. */
export async function dropFolders(page: Page, photo: Buffer, count: number): Promise<void> {
  await page.evaluate(
    ({ base64, times }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const file = new File([bytes], 'sea.jpg', { type: 'image/jpeg' });
      const entry = {
        isFile: true,
        isDirectory: false,
        name: file.name,
        file: (done: (read: File) => void) => done(file),
      };
      const createReader = () => {
        const parts = [[entry], []];
        return { readEntries: (done: (entries: readonly object[]) => void) => done(parts.shift() ?? []) };
      };
      const folder = { isFile: false, isDirectory: true, name: 'album', createReader };
      // Scripts can't make entries.
      DataTransferItem.prototype.webkitGetAsEntry = () => folder as unknown as FileSystemEntry;
      for (let drop = 0; drop < times; drop++) {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(file);
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
      }
    },
    { base64: photo.toString('base64'), times: count },
  );
}
