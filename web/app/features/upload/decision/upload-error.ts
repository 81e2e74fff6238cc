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

export const ERROR_NUMBERS = ['left', 'chosen', 'max', 'actual'] as const;

/** Path of the error's page. A page has no files to go on with. */
export function uploadErrorAddress({ reason, media, found, ...numbers }: UploadError): string {
  const query = new URLSearchParams();
  const isVideoSize = reason === 'size' && media === 'video';
  if (media && (isVideoSize || reason === 'wrong_file_format')) query.set('media', media);
  if (found) query.set('found', found);
  for (const name of ERROR_NUMBERS) if (numbers[name] !== undefined) query.set(name, String(numbers[name]));
  return `/upload-error/${reason}${query.size > 0 ? '?' : ''}${query}`;
}
