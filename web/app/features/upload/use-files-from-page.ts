import { useEffect, useState } from 'react';

const hasFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer?.types.includes('Files') ?? false;

/** Called with the files, or with a promise of those in folders. */
type OnFiles = (files: readonly File[] | Promise<readonly File[]>) => void;

declare global {
  interface Window {
    /** Of an installed app that opens files (Chromium). */
    readonly launchQueue?: {
      setConsumer(consume: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void;
    };
  }
}

/**
 * Handles files and folders dropped on, or files pasted into, the page, and those that the installed app was opened with.
 * @returns whether files are being dragged over the page
 */
export function useFilesFromPage(onFiles: OnFiles): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      setDragging(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // No related target: the pointer has left the page, not only an element.
      if (!event.relatedTarget) setDragging(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragging(false);
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      onFiles(droppedFiles(event.dataTransfer));
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    window.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('paste', onPaste);
    };
  }, [onFiles]);
  useEffect(() => {
    window.launchQueue?.setConsumer(({ files }) => {
      if (files.length > 0) onFiles(Promise.all(files.map((file) => file.getFile())));
    });
  }, [onFiles]);
  return isDragging;
}

/** The entries have to be taken during the event, and are read after it. */
function droppedFiles({ files, items }: DataTransfer): readonly File[] | Promise<readonly File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return [...files];
  return import('./folders').then(({ filesOfEntries }) => filesOfEntries(entries));
}
