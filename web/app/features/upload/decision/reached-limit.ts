import type { ReachedLimit } from '../../../http/problem';
import type { Uploader } from '../shared/uploader';
import type { UploadDecision } from './decide-upload';
import type { UploadError, UploadErrorReason } from './upload-error';

const REASONS: Readonly<Record<ReachedLimit['name'], readonly [UploadErrorReason, UploadErrorReason]>> = {
  max_size_mb: ['size', 'size_business'],
  max_length: ['duration', 'duration_business'],
  max_period_size_mb: ['week_size', 'week_size'],
  max_period_length: ['week_duration', 'week_duration'],
};

export type LimitRefusal = Extract<UploadDecision<never>, { kind: 'offer' | 'error' }> & {
  readonly error: UploadError;
};

/** What to show for a limit that the backend has found: an upgrade where it helps, else the error (spec 2, section 8). */
export function refusalOfLimit({ name, value, allowed }: ReachedLimit, { role, limits }: Uploader): LimitRefusal {
  const isBusiness = role === 'business';
  const error: UploadError = {
    reason: REASONS[name][isBusiness ? 1 : 0],
    media: 'video',
    max: allowed,
    actual: value,
  };
  const isHelped = !isBusiness && limits.largestVideo !== null && value <= largest(name, limits.largestVideo);
  const topic = name.startsWith('max_period') ? 'video_week' : 'video_limit';
  return isHelped ? { kind: 'offer', topic, single: null, error } : { kind: 'error', error, rest: [] };
}

function largest(name: ReachedLimit['name'], limits: NonNullable<Uploader['limits']['largestVideo']>): number {
  const { maxSizeMb, maxLength, maxPeriodSizeMb, maxPeriodLength } = limits;
  return {
    max_size_mb: maxSizeMb,
    max_length: maxLength,
    max_period_size_mb: maxPeriodSizeMb,
    max_period_length: maxPeriodLength,
  }[name];
}
