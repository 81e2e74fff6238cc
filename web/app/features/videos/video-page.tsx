import type { ErrorCode } from '@clearframe/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolled } from '../../http/use-data';
import { videoAddress } from '../../session/task-addresses';
import { useAppNavigate } from '../../ui/page/app-link';
import { EndedMedia, isEnded } from '../processing/ended-media';
import { useProcessOperation } from '../tasks/use-task';
import type { ToolView } from '../tools/tools-view';
import type { VideoView } from './video.server';
import { VideoProgress } from './video-progress';
import { VideoResult } from './video-result';

interface VideoPageProps {
  readonly video: VideoView;
  readonly tools: readonly ToolView[];
  readonly problem: ErrorCode | null;
}

export function VideoPage({ video: initial, tools, problem }: VideoPageProps) {
  const { t } = useTranslation('result');
  const navigate = useAppNavigate();
  const shownId = initial.result?.id ?? null;
  const isEarlier = shownId !== null && shownId !== initial.versions[0]?.id;
  const query = isEarlier ? `?outputId=${shownId}` : '';
  const {
    view: video,
    isDelayed,
    refresh,
  } = usePolled(initial, `/videos/${initial.taskId}${query}`, {
    isChanging: isInProgress,
  });
  useProcessOperation('video', [video]);
  const { taskId, state, refusal, fileName, result } = video;
  const isDone = state.kind === 'done' && result !== null;
  const hasJustEnded = isEnded(state) && !isEnded(initial.state);
  useEffect(() => {
    // Header and footer follow from the page's own data.
    if (hasJustEnded) navigate(videoAddress(taskId), { replace: true });
  }, [hasJustEnded, taskId, navigate]);
  useEffect(() => {
    // The page was loaded with the title of its progress.
    if (isDone) document.title = t('video.title');
  }, [isDone, t]);
  if (isEnded(state)) return <EndedMedia mediaType="video" {...{ taskId, state, refusal, fileName, problem }} />;
  if (isDone) return <VideoResult {...{ video, result, tools, problem, isDelayed, refresh }} />;
  return <VideoProgress {...{ video, isDelayed, problem }} />;
}

const isInProgress = ({ state: { kind } }: VideoView): boolean =>
  kind === 'uploading' || kind === 'checking' || kind === 'waiting' || kind === 'working';
