import { processingAddress, resultAddress } from '../../session/task-addresses';
import type { TaskView } from '../tasks/task-view';

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

export const photoAddress = ({ taskId, hasResult }: Pick<FilmstripPhoto, 'taskId' | 'hasResult'>): string =>
  hasResult ? resultAddress(taskId) : processingAddress(taskId);
