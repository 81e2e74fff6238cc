import type { ReachedVideoLimit } from '@clearframe/contract';
import type { Uploader } from '../media-files/uploader';
import type { UploadDecision } from './decide-upload';
import type { UploadError, UploadErrorReason } from './upload-error';

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
