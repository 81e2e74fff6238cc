import { read } from '../../http/browser-client';
import { track } from '../../telemetry/telemetry';
import { openFileChooser } from '../media-files/file-input';
import { fileKindOf } from '../media-files/file-types';
import type { Uploader } from '../media-files/uploader';
import type { Modals } from '../modals/create-modals';
import { DELIVERED } from '../settings/delivered';
import { decideUpload, type UploadDecision } from './decide-upload';
import type { UploadError } from './upload-error';

let isSurveyShown = false;

/** The feature-ranking survey, before the upload continues (spec 2, section 4); once per page. */
async function showSurvey({ isSurveyed }: Uploader, open: Modals['open']): Promise<void> {
  if (!isSurveyed || isSurveyShown) return;
  isSurveyShown = true;
  await open('survey:features', { step: 'start' });
}

interface Context {
  readonly uploader: Uploader;
  readonly open: Modals['open'];
}

/**
 * Decides what happens to chosen files, asking the visitor where needed.
 * @returns one photo, several for a batch, or null when nothing is to be uploaded
 */
export async function chooseFiles(chosen: readonly File[], context: Context): Promise<readonly File[] | null> {
  const { open } = context;
  let files = chosen;
  for (;;) {
    const isPlain = files.length < 2 && files.every((file) => fileKindOf(file) !== 'video');
    const uploader = isPlain ? context.uploader : await fetchUploader(context);
    const duration = isPlain || !uploader.limits.video ? null : await durationOf(files);
    const { role, limits } = uploader;
    const decision = decideUpload({ files, role, limits, duration, hasVideo: DELIVERED.video });
    trackDecision(decision, files.length);
    switch (decision.kind) {
      case 'error':
        switch (await open('upload:error', decision.error)) {
          case 'goOn':
            files = decision.rest;
            continue;
          case 'choose':
            openFileChooser();
        }
        return null;
      case 'offer': {
        const { topic, single } = decision;
        const outcome = await open('offer', { topic, hasSingle: single !== null, continuesAfterLogin: true });
        if (outcome === 'tryPhoto') openFileChooser();
        if (outcome === 'single' && single) files = [single];
        else if (outcome !== 'logIn' || (await open('user:login', { problem: null, isStep: true })) !== 'loggedIn')
          return null;
        break;
      }
      default:
        await showSurvey(uploader, open);
        return decision.kind === 'batch' ? decision.files : [decision.file];
    }
  }
}

/** Duration of a single video that the browser can read. */
async function durationOf([file, ...others]: readonly File[]): Promise<number | null> {
  if (!file || others.length > 0) return null;
  const { readVideoMetadata } = await import('../media-files/video-metadata');
  return (await readVideoMetadata(file))?.duration ?? null;
}

/** The plan may have changed since the page was loaded. */
export const fetchUploader = ({ uploader }: Pick<Context, 'uploader'>): Promise<Uploader> =>
  // Offline: decided by the page's data.
  read<Uploader>('/uploads/uploader').catch(() => uploader);

/** Spec 2, section 4. */
function trackDecision(decision: UploadDecision<File>, files: number): void {
  if (decision.kind === 'offer' && decision.topic === 'batch')
    track('bulk_upload_limit', { reason: 'business_required', files });
  const error = 'error' in decision ? decision.error : null;
  if (error) trackUploadError(error, files);
}

export function trackUploadError({ reason, media, found, max, actual }: UploadError, files: number): void {
  switch (reason) {
    case 'wrong_file_format':
    case 'empty':
    case 'too_many_pixels':
    case 'too_many_frames':
    case 'unreadable':
    case 'layers_only':
      track('bulk_upload_format', { reason, found: found ?? null });
      break;
    case 'too_few_files':
    case 'too_many_files':
      track('bulk_upload_limit', { reason, files });
      break;
    case 'video_off':
      break;
    default:
      if (reason === 'size' && media !== 'video') track('bulk_upload_limit', { reason, files });
      else track('video_enhance_limit', { reason, max: max ?? null, actual: actual ?? null });
  }
}
