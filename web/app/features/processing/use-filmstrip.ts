import { usePolled } from '../../http/use-polled';
import { type FilmstripView, filmstripPhotoOf } from '../filmstrip/filmstrip-view';
import type { TaskView } from '../tasks/task-view';

export function useFilmstrip(initial: FilmstripView | null): FilmstripView | null {
  const batchId = initial?.batchId ?? '';
  const { view } = usePolled(initial, initial && `/batches/${batchId}`, {
    isChanging,
    viewOf: ({ photos }: { readonly photos: readonly TaskView[] }) => ({
      batchId,
      photos: photos.map(filmstripPhotoOf),
    }),
  });
  return view;
}

const isChanging = (view: FilmstripView | null): boolean =>
  view?.photos.some(({ kind }) => kind === 'uploading' || kind === 'waiting' || kind === 'working') ?? false;
