import { useEffect } from 'react';
import { useData } from '../../http/use-data';
import { PHOTOS_STATE, type PhotosState } from '../../session/photos-state';

const INTERVAL_MS = 5_000;

/** Polls the state of the photos in progress. */
export function PhotosPoll({ onChange }: { readonly onChange: (state: PhotosState) => void }) {
  const { data } = useData<PhotosState>(PHOTOS_STATE, { refreshInterval: INTERVAL_MS });
  useEffect(() => {
    if (data) onChange(data);
  }, [data, onChange]);
  return null;
}
