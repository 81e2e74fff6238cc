import type { TaskView } from '../task/task-view';

export interface FilmstripPhoto {
  readonly taskId: string;
  readonly fileName: string | null;
  readonly thumbnailUrl: string | null;
  readonly kind: TaskView['state']['kind'];
  readonly hasResult: boolean;
}

export interface FilmstripView {
  readonly batchId: string;
  readonly photos: readonly FilmstripPhoto[];
}

export const filmstripPhotoOf = ({ taskId, fileName, display, state, output }: TaskView): FilmstripPhoto => ({
  taskId,
  fileName,
  thumbnailUrl: display.thumbnailUrl,
  kind: state.kind,
  hasResult: output !== null,
});

/** The page of an upload of several photos (spec 2, section 2). */
export const batchAddress = (bulkUploadId: string): string => `/batch?${new URLSearchParams({ bulkUploadId })}`;

export const photoAddress = ({ taskId, hasResult }: Pick<FilmstripPhoto, 'taskId' | 'hasResult'>): string =>
  hasResult ? `/result?taskId=${taskId}&mediaType=image` : `/processing?taskId=${taskId}`;
