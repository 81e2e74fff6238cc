import {
  type ErrorCode,
  IMAGE_LIMITS,
  MAX_FILES_PER_UPLOAD,
  megabytes,
  type ReachedVideoLimit,
  VIDEO_LIMITS,
} from '@clearframe/contract';
import type { UploadDecision, Uploader } from './decide-upload';
import { FORMAT_NAME } from './file-types';
import { ERROR_NUMBERS, OF_BOTH, type UploadError, type UploadErrorReason } from './upload-error';

const DEFAULTS: Readonly<Record<UploadErrorReason, Omit<UploadError, 'reason'>>> = {
  too_few_files: {},
  too_many_files: { left: MAX_FILES_PER_UPLOAD },
  wrong_file_format: {},
  empty: {},
  size: { media: 'photo', max: IMAGE_LIMITS.maxBytes / megabytes(1) },
  size_business: { media: 'video', max: VIDEO_LIMITS.business.maxSizeMb },
  duration: { media: 'video', max: VIDEO_LIMITS.personal.maxLength },
  duration_business: { media: 'video', max: VIDEO_LIMITS.business.maxLength },
  too_many_pixels: {},
  too_many_frames: { media: 'video' },
  unreadable: {},
  layers_only: {},
  week_size: { media: 'video', max: VIDEO_LIMITS.personal.maxPeriodSizeMb },
  week_duration: { media: 'video', max: VIDEO_LIMITS.personal.maxPeriodLength },
  video_off: { media: 'video' },
};

export const UPLOAD_ERROR_REASONS = Object.keys(DEFAULTS) as UploadErrorReason[];

export const isUploadErrorReason = (text: unknown): text is UploadErrorReason =>
  typeof text === 'string' && Object.hasOwn(DEFAULTS, text);

const VIDEO_SIZE = { media: 'video', max: VIDEO_LIMITS.personal.maxSizeMb } as const;

/** The error of an address; defaults replace missing or invalid values. */
export function uploadErrorIn(reason: UploadErrorReason, query: URLSearchParams): UploadError {
  const isOfVideo = OF_BOTH.includes(reason) && query.get('media') === 'video';
  const format = reason === 'wrong_file_format' ? query.get('media') : null;
  const error: UploadError = {
    reason,
    ...DEFAULTS[reason],
    ...(isOfVideo && (reason === 'size' ? VIDEO_SIZE : { media: 'video' as const })),
    ...((format === 'video' || format === 'photo') && { media: format }),
  };
  const found = query.get('found');
  if (found && FORMAT_NAME.test(found)) Object.assign(error, { found });
  for (const name of ERROR_NUMBERS) {
    const text = query.get(name);
    if (text && /^\d{1,6}(\.\d)?$/.test(text)) Object.assign(error, { [name]: Number(text) });
  }
  return error;
}

const REASON_BY_CODE: Readonly<Partial<Record<ErrorCode, UploadErrorReason>>> = {
  'uploads.missing': 'too_few_files',
  'batch.not_in_plan': 'too_many_files',
  'batch.too_many_files': 'too_many_files',
  'uploads.unsupported_type': 'wrong_file_format',
  'uploads.empty': 'empty',
  'uploads.too_large': 'size',
  'uploads.too_many_pixels': 'too_many_pixels',
  'uploads.undecodable': 'unreadable',
  'uploads.layers_only': 'layers_only',
  'videos.unavailable': 'video_off',
};

/** The error for a code of the API, or null when it is not about the files. */
export function uploadErrorOf(code: ErrorCode): UploadError | null {
  const reason = REASON_BY_CODE[code];
  if (!reason) return null;
  // One photo at a time.
  return { reason, ...DEFAULTS[reason], ...(code === 'batch.not_in_plan' && { left: 1 }) };
}

const REASONS: Readonly<Record<ReachedVideoLimit['limit'], readonly [UploadErrorReason, UploadErrorReason]>> = {
  max_size_mb: ['size', 'size_business'],
  max_length: ['duration', 'duration_business'],
  max_period_size_mb: ['week_size', 'week_size'],
  max_period_length: ['week_duration', 'week_duration'],
};

export type LimitRefusal = Extract<UploadDecision<never>, { kind: 'offer' | 'error' }> & {
  readonly error: UploadError;
};

/** What to show for a limit that the backend has found: an upgrade where it helps, else the error (spec 2, section 8). */
export function refusalOfLimit({ limit, value, allowed }: ReachedVideoLimit, { role, limits }: Uploader): LimitRefusal {
  const isBusiness = role === 'business';
  const error: UploadError = {
    reason: REASONS[limit][isBusiness ? 1 : 0],
    media: 'video',
    max: allowed,
    actual: value,
  };
  const isHelped = !isBusiness && limits.largestVideo !== null && value <= largest(limit, limits.largestVideo);
  const topic = limit.startsWith('max_period') ? 'video_week' : 'video_limit';
  return isHelped ? { kind: 'offer', topic, single: null, error } : { kind: 'error', error, rest: [] };
}

function largest(limit: ReachedVideoLimit['limit'], limits: NonNullable<Uploader['limits']['largestVideo']>): number {
  const { maxSizeMb, maxLength, maxPeriodSizeMb, maxPeriodLength } = limits;
  return {
    max_size_mb: maxSizeMb,
    max_length: maxLength,
    max_period_size_mb: maxPeriodSizeMb,
    max_period_length: maxPeriodLength,
  }[limit];
}
