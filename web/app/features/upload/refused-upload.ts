import { type ProblemView, read } from '../../http/browser-client';
import { isVideoFile } from '../../session/file-error';
import { track } from '../../telemetry/telemetry';
import type { Modals } from '../modals/create-modals';
import { megabytesOver, type Uploader } from './decide-upload';
import { openFileChooser } from './file-input';
import { fileKindOf, formatNameOf, isNamedPhoto } from './file-types';
import { refusalOfLimit, uploadErrorOf } from './read-upload-error';
import type { UploadError } from './upload-error';

export interface UploadContext {
  readonly uploader: Uploader;
  readonly open: Modals['open'];
}

/**
 * Shows an error, or an offer where it helps.
 * @returns false when the problem is not about the files
 */
export async function showRefusal(
  problem: ProblemView,
  files: readonly File[],
  context: UploadContext,
): Promise<boolean> {
  const { open } = context;
  if (problem.code === 'videos.not_in_plan' || problem.limit) {
    const uploader = await fetchUploader(context);
    const refusal = problem.limit
      ? refusalOfLimit(problem.limit, uploader)
      : ({ kind: 'offer', topic: 'video', error: null } as const);
    if (refusal.error) trackUploadError(refusal.error, files.length);
    if (refusal.kind === 'error') void showUploadError(refusal.error, open);
    else void open('offer', { topic: refusal.topic });
    return true;
  }
  const error = await refusalOf(problem, files);
  if (!error) return false;
  trackUploadError(error, files.length);
  void showUploadError(error, open);
  return true;
}

/** The error to show for a file that the server refused, or null when the problem is not about the file. */
export async function refusalOf(
  { code }: Pick<ProblemView, 'code'>,
  [file]: readonly File[],
): Promise<UploadError | null> {
  const known = uploadErrorOf(code);
  return known && file ? detailed(known, file) : known;
}

async function detailed(error: UploadError, file: File): Promise<UploadError> {
  const isVideo = isVideoFile(file);
  switch (error.reason) {
    case 'wrong_file_format': {
      const found = await formatFoundIn(file);
      return found ? { ...error, found } : error;
    }
    case 'size':
      // The size of a video was checked: this one has too many frames.
      return isVideo ? { reason: 'too_many_frames', media: 'video' } : { ...error, actual: megabytesOver(file.size) };
    case 'too_many_pixels':
    case 'unreadable':
      return isVideo ? { ...error, media: 'video' } : error;
    default:
      return error;
  }
}

/** Shows an error, and the file chooser where the visitor asks for it. */
async function showUploadError(error: UploadError, open: UploadContext['open']): Promise<void> {
  if ((await open('upload:error', error)) === 'choose') openFileChooser();
}

/** The plan may have changed since the page was loaded. */
export const fetchUploader = ({ uploader }: Pick<UploadContext, 'uploader'>): Promise<Uploader> =>
  // Offline: decided by the page's data.
  read<Uploader>('/uploads/uploader').catch(() => uploader);

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

/** Signatures of formats that are often named like photos. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF/, 'PDF'],
  [/^GIF8/, 'GIF'],
  [/^BM/, 'BMP'],
  [/^PK/, 'ZIP'],
  [/^....ftyp(?:qt|mp4|isom|M4V)/s, 'MP4'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<svg/i, 'SVG'],
  [/^\s*<(?:!doctype|html)/i, 'HTML'],
];

const SNIFFED_BYTES = 512;

/** Reads the first bytes, else the name; null when unknown, or when the file only claims to be of an accepted format. */
export async function formatFoundIn(file: File): Promise<string | null> {
  const isNamedVideo = fileKindOf(file) === 'video';
  const bytes = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  const start = String.fromCharCode(...bytes);
  const signature = SIGNATURES.find(([pattern]) => pattern.test(start));
  if (signature) return isNamedVideo && signature[1] === 'MP4' ? null : signature[1];
  return isNamedVideo || isNamedPhoto(file) ? null : formatNameOf(file);
}
