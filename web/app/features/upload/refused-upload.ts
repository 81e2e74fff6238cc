import type { ProblemView } from '../../http/problem';
import { isVideoFile } from '../../session/file-error';
import { openFileChooser } from '../media-files/file-input';
import { formatFoundIn } from '../media-files/found-format';
import type { Uploader } from '../media-files/uploader';
import type { Modals } from '../modals/create-modals';
import { fetchUploader, trackUploadError } from './choose-files';
import { megabytesOver } from './decide-upload';
import { refusalOfLimit } from './reached-limit';
import { uploadErrorOf } from './read-upload-error';
import type { UploadError } from './upload-error';

interface Context {
  readonly uploader: Uploader;
  readonly open: Modals['open'];
}

/**
 * Shows an error, or an offer where it helps.
 * @returns false when the problem is not about the files
 */
export async function showRefusal(problem: ProblemView, files: readonly File[], context: Context): Promise<boolean> {
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
async function showUploadError(error: UploadError, open: Context['open']): Promise<void> {
  if ((await open('upload:error', error)) === 'choose') openFileChooser();
}
