import type { DownloadKind } from './history.server';

export const DOWNLOAD_PATH = '/history/download';

export interface Downloads {
  readonly taskIds: readonly string[];
  readonly ready: number;
  readonly watermarked: number;
  readonly small: number;
}

interface Chosen {
  readonly task: { readonly taskId: string };
  readonly download: DownloadKind | null;
}

export function downloadsOf(photos: readonly Chosen[]): Downloads {
  const count = (kind: DownloadKind) => photos.filter(({ download }) => download === kind).length;
  return {
    taskIds: photos.map(({ task }) => task.taskId),
    ready: photos.filter(({ download }) => download !== null).length,
    watermarked: count('watermarked'),
    small: count('small'),
  };
}

const withIds = (path: string, taskIds: readonly string[]): string =>
  `${path}?${new URLSearchParams(taskIds.map((id) => ['taskId', id]))}`;

export const archiveAddress = (taskIds: readonly string[]): string => withIds('/history/archive', taskIds);

export const downloadAddress = (taskIds: readonly string[]): string => withIds(DOWNLOAD_PATH, taskIds);
