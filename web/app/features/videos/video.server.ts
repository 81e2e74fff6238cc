import {
  type ErrorCode,
  hasResult,
  isErrorCode,
  type VideoPlan,
  type VideoTask,
  type VideoTaskResult,
  videoRoutes,
} from '@clearframe/contract';
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { browserAddress, downloadAddress } from '../../http/api-addresses.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { isEnded } from '../processing/ended-media';
import { deletionOf, trackProcessEnd } from '../processing/processing.server';
import { outputIdIn, readAs, taskIdIn } from '../tasks/task.server';
import { type Choices, choicesOf } from '../tools/choices';
import { videoToolsOf } from '../tools/tools-view.server';
import type { Uploader } from '../upload/decide-upload';
import { type LimitRefusal, refusalOfLimit } from '../upload/read-upload-error';
import { uploaderOf, userOrNull } from '../upload/uploader.server';
import type { ComparedVideo } from './video-comparison';

/** A video as displayed by its page. URLs are signed and short-lived. */
export interface VideoView {
  readonly taskId: string;
  readonly state:
    | { readonly kind: 'uploading' | 'checking' | 'done' | 'cancelled' }
    /** `place` in the queue, 1 being next. */
    | { readonly kind: 'waiting'; readonly place: number | null }
    /** `progress` is 0..1. */
    | { readonly kind: 'working'; readonly progress: number }
    | { readonly kind: 'failed' | 'invalid'; readonly code: ErrorCode };
  readonly refusal: LimitRefusal | null;
  readonly fileName: string | null;
  /** Known once the file has been read. */
  readonly plan: { readonly recipe: VideoPlan['recipe']; readonly estimatedSeconds: number } | null;
  /** Null until it is known. */
  readonly remainingSeconds: number | null;
  readonly frames: number | null;
  readonly posterUrl: string | null;
  /** A frame before and after, while the video is enhanced. */
  readonly preview: { readonly inputUrl: string; readonly outputUrl: string } | null;
  /** The displayed one: that of the address, else the newest. */
  readonly result: VideoResultView | null;
  /** Newest first. */
  readonly versions: readonly VideoVersionView[];
  readonly choices: Choices;
  /** Why it was not enhanced again; the result is the earlier one. */
  readonly lastError: ErrorCode | null;
  readonly details: VideoDetails;
  /** Deletion of the files; ISO 8601. */
  readonly expiresAt: string;
}

export interface VideoResultView extends ComparedVideo {
  readonly id: string;
  readonly downloadUrl: string;
  readonly recipe: VideoTaskResult['recipe'];
  readonly notes: VideoTaskResult['notes'];
  readonly faces: number;
  readonly sizeBytes: number;
}

interface VideoVersionView {
  readonly id: string;
  /** 1 is the first. */
  readonly number: number;
  readonly posterUrl: string;
}

interface VideoDetails {
  /** 'MP4'. */
  readonly type: string;
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly duration: number | null;
  readonly frameRate: number | null;
  readonly bytes: number | null;
  readonly hash: string | null;
  /** Address of the original's download; null until it is stored. */
  readonly originalAddress: string | null;
}

export async function loadVideo({ request, context }: LoaderFunctionArgs) {
  const [video, language, user] = await Promise.all([
    readVideo(taskIdIn(request), request, context),
    languageOf(request),
    userOrNull(request, context),
  ]);
  trackProcessEnd({ mediaType: 'video', state: video.state }, { request, context });
  return {
    video,
    tools: await videoToolsOf(user, request, context),
    problem: problemIn(request),
    deletion: deletionOf(video, language),
    title: await titleOf(video, request),
  };
}

async function titleOf({ state }: VideoView, request: Request): Promise<string> {
  if (state.kind === 'done') return (await translatorFor(request, 'result'))('video.title');
  const t = await translatorFor(request, 'processing');
  return t(isEnded(state) ? `${state.kind}.title` : 'video.title');
}

function problemIn(request: Request) {
  const problem = new URL(request.url).searchParams.get('problem');
  return problem !== null && isErrorCode(problem) ? problem : null;
}

/** Throws the pages of `readTask`. */
export async function readVideo(taskId: string, request: Request, context: AppLoadContext): Promise<VideoView> {
  const video = await readAs(taskId, request, context, (token) =>
    callApi(videoRoutes.getVideoTask, { params: { videoTaskId: taskId } }, { context, request, token }),
  );
  const user = video.reachedLimit && (await userOrNull(request, context));
  return videoViewOf(video, context, uploaderOf(user), outputIdIn(request));
}

/** @param uploader whose limits apply */
export function videoViewOf(
  video: VideoTask,
  context: AppLoadContext,
  uploader: Uploader,
  outputId: string | null = null,
): VideoView {
  const { settings } = context;
  const versions = video.result ? [video.result, ...video.earlierResults] : [];
  const shown = versions.find(({ id }) => id === outputId) ?? video.result;
  const { input, plan, preview, posterUrl, errorCode } = video;
  const { duration, frameRate } = input;
  return {
    taskId: video.videoTaskId,
    state: stateOf(video),
    refusal: refusalOf(video, uploader),
    fileName: input.fileName,
    plan,
    remainingSeconds: video.remainingSeconds,
    frames: duration !== null && frameRate !== null ? Math.max(1, Math.round(duration * frameRate)) : null,
    posterUrl: posterUrl && browserAddress(posterUrl, settings),
    preview: preview && {
      inputUrl: browserAddress(preview.inputUrl, settings),
      outputUrl: browserAddress(preview.outputUrl, settings),
    },
    result: shown && resultOf(shown, video, context),
    versions: versions.map(({ id, number, posterUrl: url }) => ({
      id,
      number,
      posterUrl: browserAddress(url, settings),
    })),
    choices: choicesOf(shown?.aiPipeline ?? video.aiPipeline),
    lastError: hasResult(video.status) && errorCode && isErrorCode(errorCode) ? errorCode : null,
    details: {
      type: input.contentType === 'video/mp4' ? 'MP4' : 'MOV',
      size: input.width && input.height ? { width: input.width, height: input.height } : null,
      duration,
      frameRate,
      bytes: input.sizeBytes,
      hash: input.sha256,
      originalAddress: video.result && `/tasks/${video.videoTaskId}/file?of=original`,
    },
    expiresAt: video.expiresAt,
  };
}

function resultOf(
  result: VideoTaskResult,
  { input, posterUrl }: VideoTask,
  { settings }: AppLoadContext,
): VideoResultView {
  return {
    id: result.id,
    beforeUrl: browserAddress(result.displayInputUrl, settings),
    afterUrl: browserAddress(result.outputUrl, settings),
    beforePosterUrl: posterUrl && browserAddress(posterUrl, settings),
    afterPosterUrl: browserAddress(result.posterUrl, settings),
    downloadUrl: downloadAddress(result.outputUrl, settings),
    size: { width: result.width, height: result.height },
    duration: result.duration,
    frameRate: input.frameRate,
    recipe: result.recipe,
    notes: result.notes,
    faces: result.facesRestored,
    sizeBytes: result.sizeBytes,
  };
}

const refusalOf = ({ status, reachedLimit }: VideoTask, uploader: Uploader): VideoView['refusal'] =>
  status === 'invalid' && reachedLimit ? refusalOfLimit(reachedLimit, uploader) : null;

function stateOf(video: VideoTask): VideoView['state'] {
  const { status, errorCode, progress, plan, queueWaitNum } = video;
  if (hasResult(status)) return { kind: 'done' };
  switch (status) {
    case 'failed':
    case 'invalid':
      return { kind: status, code: errorCode && isErrorCode(errorCode) ? errorCode : 'videos.failed' };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'processing':
    case 'reprocessing':
      if (!plan) return { kind: 'checking' };
      return queueWaitNum === 0 || progress > 0
        ? { kind: 'working', progress }
        : { kind: 'waiting', place: queueWaitNum };
    default:
      return { kind: 'uploading' };
  }
}
