import { TIME_LIMITS } from '@clearframe/contract';
import { useCallback, useState } from 'react';
import { type FilmstripView, filmstripPhotoOf } from '../filmstrip/filmstrip-view';
import type { TaskView } from '../task/task-view';
import { usePolling } from './use-polling';

const TIMEOUT_MS = TIME_LIMITS.call.browser;

export function useFilmstrip(initial: FilmstripView | null): FilmstripView | null {
  const [state, setState] = useState({ initial, view: initial });
  if (state.initial !== initial) setState({ initial, view: initial });
  const batchId = initial?.batchId ?? '';
  const refresh = useCallback(async () => {
    const photos = await fetchPhotos(batchId).catch(() => null);
    if (photos) setState((shown) => ({ ...shown, view: { batchId, photos: photos.map(filmstripPhotoOf) } }));
  }, [batchId]);
  const view = state.initial === initial ? state.view : initial;
  const isChanging = view?.photos.some(({ kind }) => kind === 'uploading' || kind === 'waiting' || kind === 'working');
  usePolling(refresh, isChanging ?? false);
  return view;
}

async function fetchPhotos(batchId: string): Promise<readonly TaskView[] | null> {
  const response = await fetch(`/batches/${batchId}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return response.ok ? ((await response.json()) as { readonly photos: readonly TaskView[] }).photos : null;
}
