import { usePolling } from '../processing/use-polling';
import { useRefreshed } from '../task/use-refreshed';
import type { VideoView } from './video-view';

const isInProgress = ({ state: { kind } }: VideoView): boolean =>
  kind === 'uploading' || kind === 'checking' || kind === 'waiting' || kind === 'working';

export function useVideo(initial: VideoView) {
  const { view: video, ...state } = useRefreshed(initial, `/videos/${initial.taskId}`);
  usePolling(state.refresh, isInProgress(video));
  return { video, ...state };
}
