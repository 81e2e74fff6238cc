import {
  type Actor,
  IMAGE_LIMITS,
  may,
  megabytes,
  VIDEO_LIMITS,
  type VideoLimits,
  videoLimitsOf,
} from '@clearframe/contract';
import { type FileInfo, fileKindOf, formatNameOf } from '../shared/file-types';
import type { UploadError } from './upload-error';

/** What a visitor is asked to buy: several photos at once, videos, or longer and larger videos. */
export type OfferTopic = 'batch' | 'video' | 'video_limit';

export type UploadDecision<File extends FileInfo> =
  | { readonly kind: 'photo' | 'video'; readonly file: File }
  | { readonly kind: 'batch'; readonly files: readonly File[] }
  | {
      readonly kind: 'offer';
      readonly topic: OfferTopic;
      /** The file to enhance without the offer; null for none. */
      readonly single: File | null;
      /** The limit reached. */
      readonly error: UploadError | null;
    }
  | { readonly kind: 'error'; readonly error: UploadError /** To go on with. */; readonly rest: readonly File[] };

export interface UploadChoice<File extends FileInfo> {
  readonly files: readonly File[];
  /** Of a single video, in seconds; null when the browser can't read it. */
  readonly duration?: number | null;
  readonly actor: Actor;
  /** Files that the upload has room for. */
  readonly left: number;
  /** Videos can be enhanced at all. */
  readonly hasVideo: boolean;
}

/** Decides what happens to chosen files (spec 2, sections 4 and 5). */
export function decideUpload<File extends FileInfo>(choice: UploadChoice<File>): UploadDecision<File> {
  const { files } = choice;
  const [first] = files;
  if (!first) return refuse({ reason: 'too_few_files' });
  if (choice.left < 1) return refuse({ reason: 'too_many_files', left: 0, chosen: files.length });
  if (files.length > 1) return decideSeveral(choice);
  if (fileKindOf(first) === 'video' && choice.hasVideo) return decideVideo(first, choice);
  const error = refusalOf(first);
  return error ? refuse(error) : { kind: 'photo', file: first };
}

function decideSeveral<File extends FileInfo>({ files, actor, left }: UploadChoice<File>): UploadDecision<File> {
  const isBatch = may(actor, 'batch');
  const taken = isBatch ? files.slice(0, left) : files;
  const photos = taken.filter((file) => refusalOf(file) === null);
  const refused = taken.find((file) => refusalOf(file) !== null);
  const error = refused && refusalOf(refused);
  if (error) return refuse(error, photos);
  if (!isBatch) return { kind: 'offer', topic: 'batch', single: files[0] ?? null, error: null };
  if (files.length > left) return refuse({ reason: 'too_many_files', left, chosen: files.length }, photos);
  return { kind: 'batch', files: photos };
}

function refuse<File extends FileInfo>(error: UploadError, rest: readonly File[] = []): UploadDecision<File> {
  return { kind: 'error', error: rest.length > 0 ? { ...error, rest: rest.length } : error, rest };
}

/** Why a file is no photo to enhance; null if it is one. */
function refusalOf(file: FileInfo): UploadError | null {
  const kind = fileKindOf(file);
  if (kind !== 'image') {
    const found = formatNameOf(file);
    return { reason: 'wrong_file_format', ...(found && { found }), ...(kind === 'video' && { media: 'video' }) };
  }
  if (file.size <= IMAGE_LIMITS.maxBytes) return null;
  // Rounded up: a file just over the limit must not look like one of the limit's size.
  const actual = Math.ceil(file.size / megabytes(0.1)) / 10;
  return { reason: 'size', media: 'photo', max: IMAGE_LIMITS.maxBytes / megabytes(1), actual };
}

function decideVideo<File extends FileInfo>(file: File, { actor, duration }: UploadChoice<File>): UploadDecision<File> {
  const limits = videoLimitsOf(actor.role);
  if (!limits) return { kind: 'offer', topic: 'video', single: null, error: null };
  const video = { size: roundedMegabytes(file.size), duration: duration == null ? null : roundedSeconds(duration) };
  const error = videoErrorOf(video, limits, actor.role === 'business');
  if (!error) return { kind: 'video', file };
  // An upgrade is offered only where it helps.
  const isHelped = actor.role !== 'business' && videoErrorOf(video, VIDEO_LIMITS.business, true) === null;
  return isHelped ? { kind: 'offer', topic: 'video_limit', single: null, error } : refuse(error);
}

function videoErrorOf(
  { size, duration }: { readonly size: number; readonly duration: number | null },
  { maxSizeMb, maxLength }: VideoLimits,
  isBusiness: boolean,
): UploadError | null {
  if (size > maxSizeMb)
    return { reason: isBusiness ? 'size_business' : 'size', media: 'video', max: maxSizeMb, actual: size };
  if (duration !== null && duration > maxLength) {
    const reason = isBusiness ? 'duration_business' : 'duration';
    return { reason, media: 'video', max: maxLength, actual: duration };
  }
  return null;
}

/** To 0.1 MB (spec 2, section 5). */
export const roundedMegabytes = (bytes: number): number => Math.round(bytes / megabytes(0.1)) / 10;

/** Up (spec 2, section 5). */
export const roundedSeconds = (seconds: number): number => Math.ceil(seconds);
