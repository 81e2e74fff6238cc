import FolderOpen from 'lucide-react/icons/folder-open';
import { type ChangeEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { isNamedPhoto } from './file-types';

/** A folder with more is not read to its end. */
const MAX_FILES = 1_000;

/** Photos of a folder's files in the order of their paths. Other files, such as `.DS_Store`, are expected there. */
const photosIn = (files: readonly File[]): File[] =>
  files
    .filter(isNamedPhoto)
    .sort((one, other) => pathOf(one).localeCompare(pathOf(other), undefined, { numeric: true }));

const pathOf = ({ webkitRelativePath, name }: File): string => webkitRelativePath || name;

/** Dropped files, and the photos of dropped folders and their subfolders. */
export async function filesOfEntries(entries: readonly FileSystemEntry[]): Promise<File[]> {
  const files: File[] = [];
  for (const entry of entries) {
    if (isFile(entry)) files.push(...(await filesOf([entry])));
    else if (isFolder(entry)) await readFolder(entry, files);
  }
  return files;
}

async function readFolder(folder: FileSystemDirectoryEntry, files: File[]): Promise<void> {
  const entries = await entriesIn(folder);
  files.push(...photosIn(await filesOf(entries.filter(isFile))));
  const byName = entries.filter(isFolder).sort((one, other) => one.name.localeCompare(other.name));
  for (const inner of byName) if (files.length < MAX_FILES) await readFolder(inner, files);
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Without those that can't be read. */
async function filesOf(entries: readonly FileSystemFileEntry[]): Promise<File[]> {
  const read = entries.map((entry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
  return (await Promise.allSettled(read)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** The reader returns about 100 entries at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    all.push(...some);
    if (some.length === 0 || all.length >= MAX_FILES) return all;
  }
}

const INPUT_ID = 'upload-folder';

/** Chooses all photos of a folder; empty where the browser can't. */
export function FolderChoice({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('home');
  const [isSupported, setSupported] = useState(true);
  useEffect(() => setSupported('webkitdirectory' in HTMLInputElement.prototype), []);
  if (!isSupported) return null;
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    onFiles(photosIn(files));
    // Lets the same folder be chosen again after an error.
    currentTarget.value = '';
  };
  return (
    <span className="relative z-1 nojs:hidden">
      <input id={INPUT_ID} type="file" className="peer sr-only" onChange={onChange} {...{ webkitdirectory: '' }} />
      <label
        htmlFor={INPUT_ID}
        className={`${buttonClass('quiet')} peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-accent`}
      >
        <FolderOpen aria-hidden className="size-5" />
        {t('drop.many.folder')}
      </label>
    </span>
  );
}
