/** Why files can't be uploaded (spec 2, sections 5 and 8); part of the page's path. */
export type UploadErrorReason =
  | 'too_few_files'
  | 'too_many_files'
  | 'wrong_file_format'
  /** A file of 0 bytes. */
  | 'empty'
  | 'size'
  | 'size_business'
  | 'duration'
  | 'duration_business'
  | 'too_many_pixels'
  /** A video of more frames than are enhanced. */
  | 'too_many_frames'
  | 'unreadable'
  /** A Photoshop file without its merged image. */
  | 'layers_only'
  /** Weekly limits. */
  | 'week_size'
  | 'week_duration'
  /** The server can't enhance videos. */
  | 'video_off';

export interface UploadError {
  readonly reason: UploadErrorReason;
  /** For `size`: whose limit it is. For `wrong_file_format`: a video among photos, or only photos are accepted. */
  readonly media?: 'photo' | 'video';
  /** Format of the refused file: 'PDF'. */
  readonly found?: string;
  /** Files that the upload has room for. */
  readonly left?: number;
  readonly chosen?: number;
  /** The limit, in MB or seconds. */
  readonly max?: number;
  /** Size or duration of the file, rounded as it was compared. */
  readonly actual?: number;
  /** Files chosen together that can be enhanced without the refused ones. */
  readonly rest?: number;
}

/** Errors of photos and of videos, which have limits of their own. */
export const OF_BOTH: readonly UploadErrorReason[] = ['size', 'too_many_pixels', 'unreadable'];

export const ERROR_NUMBERS = ['left', 'chosen', 'max', 'actual'] as const;

/** Path of the error's page. A page has no files to go on with. */
export function uploadErrorAddress({ reason, media, found, ...numbers }: UploadError): string {
  const query = new URLSearchParams();
  const isOfVideo = media === 'video' && OF_BOTH.includes(reason);
  if (media && (isOfVideo || reason === 'wrong_file_format')) query.set('media', media);
  if (found) query.set('found', found);
  for (const name of ERROR_NUMBERS) if (numbers[name] !== undefined) query.set(name, String(numbers[name]));
  return `/upload-error/${reason}${query.size > 0 ? '?' : ''}${query}`;
}
