import { useCallback, useRef, useState } from 'react';
import { usePolling } from '../processing/use-polling';
import type { VideoView } from './video-view';

const TIMEOUT_MS = 10_000;

const isInProgress = ({ state: { kind } }: VideoView): boolean =>
  kind === 'uploading' || kind === 'checking' || kind === 'waiting' || kind === 'working';

/** A video that is polled while it is in progress. */
export function useVideo(initial: VideoView) {
  const [view, setView] = useState({ initial, video: initial });
  // A newer page, after a form.
  if (view.initial !== initial) setView({ initial, video: initial });
  const [isDelayed, setDelayed] = useState(false);
  const pending = useRef<Promise<VideoView | null> | null>(null);
  const { taskId } = initial;

  /** @returns the current video, or null when the request fails */
  const refresh = useCallback((): Promise<VideoView | null> => {
    pending.current ??= fetchVideo(taskId)
      .then(
        (video) => {
          setView((shown) => ({ ...shown, video }));
          setDelayed(false);
          return video;
        },
        () => {
          setDelayed(true);
          return null;
        },
      )
      .finally(() => {
        pending.current = null;
      });
    return pending.current;
  }, [taskId]);
  const { video } = view;
  usePolling(refresh, isInProgress(video));
  return { video, isDelayed, refresh };
}

/** Reloads the page when the video is deleted or the session has ended: the page explains. */
async function fetchVideo(taskId: string): Promise<VideoView> {
  const response = await fetch(`/videos/${taskId}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 404 || response.status === 401) window.location.reload();
  if (!response.ok) throw new Error(`fetching the video failed with status ${response.status}`);
  return (await response.json()) as VideoView;
}
