import { type ErrorCode, restoresFaces } from '@clearframe/contract';
import type { TFunction } from 'i18next';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolled } from '../../http/use-data';
import { videoAddress } from '../../session/task-addresses';
import { Notice } from '../../ui/content/notice';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useAppNavigate } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { useStableUrl } from '../../ui/picture/picture-url';
import { StageLayout, StageStatus } from '../../ui/stage/stage-layout';
import { StagePicture, VideoPlaceholder } from '../../ui/stage/stage-picture';
import { EndedMedia, isEnded } from '../processing/ended-media';
import { RemainingTime } from '../processing/remaining-time';
import { StageLinks } from '../shell/header';
import { useProcessOperation } from '../tasks/use-task';
import type { ToolView } from '../tools/tools-view';
import { Viewer } from '../viewer/viewer';
import type { VideoView } from './video.server';
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

interface VideoProgressProps {
  readonly video: VideoView;
  readonly isDelayed: boolean;
  readonly problem: ErrorCode | null;
}

function VideoProgress({ video, isDelayed, problem }: VideoProgressProps) {
  const { t } = useTranslation(['processing', 'common']);
  const { nonce } = useDocument();
  const { taskId, state, plan, preview } = video;
  const { size } = video.details;
  // Only faces have models.
  const wantsFaces = video.choices.tools.faceEnhance.model !== null;
  const before = useStableUrl(preview?.inputUrl ?? null);
  const after = useStableUrl(preview?.outputUrl ?? null);
  const time = timeOf(video, t);
  const poster = useStableUrl(video.posterUrl);
  return (
    <StageLayout
      heading={t('video.title')}
      fileName={video.fileName}
      tools={<StageLinks />}
      panel={
        <StageStatus
          text={statusText(video, t)}
          label={t('label')}
          progress={state.kind === 'working' ? state.progress : null}
        >
          {time && <p>{time}</p>}
          {plan && !restoresFaces(plan.recipe) && wantsFaces && <p>{t('video.signal')}</p>}
        </StageStatus>
      }
      actions={
        <>
          <p className="flex-1 text-sm text-muted">{t('stay')}</p>
          <SubmitForm method="post" action={`/videos/${taskId}`}>
            <SubmitButton kind="quiet" size="small" className="min-h-11" name="intent" value="cancel">
              {t('common:cancel')}
            </SubmitButton>
          </SubmitForm>
        </>
      }
      notices={
        <>
          {isDelayed && <Notice>{t('delayed')}</Notice>}
          {problem && <Notice>{t(`common:errors.${problem}`)}</Notice>}
        </>
      }
    >
      {before && after && size ? (
        <>
          <PictureShape {...size} nonce={nonce} />
          <Viewer
            taskId={taskId}
            size={size}
            faces={NO_FACES}
            before={{ files: { url: before }, label: t('common:before'), alt: t('common:before') }}
            after={{ files: { url: after }, label: t('common:after'), alt: t('common:after') }}
          />
        </>
      ) : (
        <StagePicture sources={[poster]} alt={t('video.alt')} placeholder={<VideoPlaceholder />} />
      )}
    </StageLayout>
  );
}

const NO_FACES: readonly never[] = [];

type Translator = TFunction<['processing', 'common']>;

function statusText({ state, frames }: VideoView, t: Translator): string {
  switch (state.kind) {
    case 'uploading':
      return t('video.uploading');
    case 'checking':
      return t('video.checking');
    case 'waiting':
      return state.place === null ? t('starting') : t('video.queue', { place: state.place });
    case 'working':
      if (frames === null) return t('enhancing', { progress: state.progress });
      return t('video.frames', { done: Math.round(state.progress * frames), total: frames });
    default:
      return t('nearlyDone');
  }
}

/** The estimate before it starts, then the rest; null while unknown. */
function timeOf({ state, plan, remainingSeconds }: VideoView, t: Translator): ReactNode {
  if (state.kind === 'working')
    return remainingSeconds === null ? null : <RemainingTime seconds={remainingSeconds} step={STEP} />;
  const seconds = plan?.estimatedSeconds ?? null;
  if (seconds === null) return null;
  return seconds > MINUTES_FROM
    ? t('video.estimate.minutes', { minutes: Math.round(seconds / 60) })
    : t('video.estimate.seconds', { seconds: Math.max(STEP, Math.ceil(seconds / STEP) * STEP) });
}

/** Seconds from which minutes are precise enough, and the step of seconds. */
const MINUTES_FROM = 90;
const STEP = 5;
