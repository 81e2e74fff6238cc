import type { ProblemView } from '../../../http/problem';
import { isVideoFile } from '../../../session/photos/file-error';
import type { Modals } from '../../modals/create-modals';
import { formatFoundIn } from '../shared/found-format';
import type { Uploader } from '../shared/uploader';
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
    if (refusal.kind === 'error') void open('upload:error', refusal.error);
    else void open('offer', { topic: refusal.topic });
    return true;
  }
  const error = await explainRefusal(problem, files);
  if (error) void open('upload:error', error);
  return error !== null;
}

/** The error to show for a file that the server refused, or null when the problem is not about the file. */
async function explainRefusal({ code }: ProblemView, files: readonly File[]): Promise<UploadError | null> {
  const known = uploadErrorOf(code);
  const [file] = files;
  if (!known || !file) return known;
  // A video that is too large here has too many frames.
  if (known.reason === 'size' && isVideoFile(file)) return null;
  const found = known.reason === 'wrong_file_format' ? await formatFoundIn(file) : null;
  const actual = known.reason === 'size' ? megabytesOver(file.size) : undefined;
  const error = { ...known, ...(found && { found }), ...(actual && { actual }) };
  trackUploadError(error, files.length);
  return error;
}
