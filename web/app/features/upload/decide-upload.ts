import type { Actor, Role, VideoLimits } from '@clearframe/contract';
import { type FileInfo, fileKindOf, formatNameOf } from './file-types';
import type { UploadError } from './upload-error';

type VideoFileLimits = Pick<VideoLimits, 'maxSizeMb' | 'maxLength'>;

export interface UploadLimits {
  readonly hasBatch: boolean;
  /** Files that a batch has room for. */
  readonly files: number;
  readonly photoSizeMb: number;
  /** Null without videos. */
  readonly video: VideoFileLimits | null;
  /** Workers can enhance videos at the moment. */
  readonly isVideoOn: boolean;
  /** Video limits of the largest plan; null when an upgrade isn't offered. */
  readonly largestVideo: VideoLimits | null;
}

/** What uploads depend on about the visitor. */
export interface Uploader extends Actor {
  readonly limits: UploadLimits;
  /** The feature-ranking survey is due: for subscribers after their trial, once per browser (spec 2, section 4). */
  readonly isSurveyed: boolean;
}

const MEGABYTE = 1_000_000;

/** Several photos at once, videos, longer and larger videos, or more of them a week. */
export type OfferTopic = 'batch' | 'video' | 'video_limit' | 'video_week';

/** `rest` of an error: the files to go on with. */
export type UploadDecision<File extends FileInfo> =
  | { readonly kind: 'photo' | 'video'; readonly file: File }
  | { readonly kind: 'batch'; readonly files: readonly File[] }
  | {
      readonly kind: 'offer';
      readonly topic: OfferTopic;
      /** The file to enhance without the offer; null for none. */
      readonly single: File | null;
      readonly error: UploadError | null;
    }
  | { readonly kind: 'error'; readonly error: UploadError; readonly rest: readonly File[] };

export interface UploadChoice<File extends FileInfo> {
  readonly files: readonly File[];
  /** Duration of a single video in seconds; null when the browser can't read it. */
  readonly duration?: number | null;
  readonly role: Role;
  readonly limits: UploadLimits;
  /** False where only photos are accepted. */
  readonly hasVideo: boolean;
}

type Accepted = Pick<UploadChoice<FileInfo>, 'limits' | 'hasVideo'>;

/** Decides what happens to chosen files (spec 2, sections 4 and 5). */
export function decideUpload<File extends FileInfo>(choice: UploadChoice<File>): UploadDecision<File> {
  const { files } = choice;
  const [first] = files;
  if (!first) return refuse({ reason: 'too_few_files' });
  if (choice.limits.files < 1) return refuse({ reason: 'too_many_files', left: 0, chosen: files.length });
  if (files.length > 1) return decideSeveral(choice);
  if (first.size === 0) return refuse({ reason: 'empty' });
  if (fileKindOf(first) === 'video' && choice.hasVideo) return decideVideo(first, choice);
  const error = refusalOf(first, choice);
  return error ? refuse(error) : { kind: 'photo', file: first };
}

function decideSeveral<File extends FileInfo>(choice: UploadChoice<File>): UploadDecision<File> {
  const { files } = choice;
  const { hasBatch, files: left } = choice.limits;
  const taken = hasBatch ? files.slice(0, left) : files;
  const photos = taken.filter((file) => refusalOf(file, choice) === null && file.size > 0);
  const refused = taken.find((file) => !photos.includes(file));
  const error = refused && (refusalOf(refused, choice) ?? { reason: 'empty' });
  if (error) return refuse(error, photos);
  if (!hasBatch) return { kind: 'offer', topic: 'batch', single: files[0] ?? null, error: null };
  if (files.length > left) return refuse({ reason: 'too_many_files', left, chosen: files.length }, photos);
  return { kind: 'batch', files: photos };
}

function refuse<File extends FileInfo>(error: UploadError, rest: readonly File[] = []): UploadDecision<File> {
  return { kind: 'error', error: rest.length > 0 ? { ...error, rest: rest.length } : error, rest };
}

/** Why a file can't be enhanced as a photo; null if it can. */
function refusalOf(file: FileInfo, { limits: { photoSizeMb, isVideoOn }, hasVideo }: Accepted): UploadError | null {
  const kind = fileKindOf(file);
  if (kind !== 'image') {
    const found = formatNameOf(file);
    const media = kind === 'video' ? 'video' : hasVideo && isVideoOn ? null : 'photo';
    return { reason: 'wrong_file_format', ...(found && { found }), ...(media && { media }) };
  }
  if (file.size <= photoSizeMb * MEGABYTE) return null;
  return { reason: 'size', media: 'photo', max: photoSizeMb, actual: megabytesOver(file.size) };
}

function decideVideo<File extends FileInfo>(
  file: File,
  { role, limits: { video: own, largestVideo, isVideoOn }, duration }: UploadChoice<File>,
): UploadDecision<File> {
  // A plan that can't be used now is not offered.
  if (!isVideoOn) return refuse({ reason: 'video_off' });
  if (!own) return { kind: 'offer', topic: 'video', single: null, error: null };
  const video = { size: roundedMegabytes(file.size), duration: duration == null ? null : roundedSeconds(duration) };
  const error = videoErrorOf(video, own, role === 'business');
  if (!error) return { kind: 'video', file };
  // An upgrade is offered only where it helps.
  const isHelped = role !== 'business' && largestVideo !== null && videoErrorOf(video, largestVideo, true) === null;
  return isHelped ? { kind: 'offer', topic: 'video_limit', single: null, error } : refuse(error);
}

function videoErrorOf(
  { size, duration }: { readonly size: number; readonly duration: number | null },
  { maxSizeMb, maxLength }: VideoFileLimits,
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

/** Rounded to 0.1 MB (spec 2, section 5). */
export const roundedMegabytes = (bytes: number): number => Math.round(bytes / (MEGABYTE / 10)) / 10;

/** Rounded up, so that a file just over the limit does not appear to be within it. */
export const megabytesOver = (bytes: number): number => Math.ceil(bytes / (MEGABYTE / 10)) / 10;

/** Rounded up (spec 2, section 5). */
export const roundedSeconds = (seconds: number): number => Math.ceil(seconds);
