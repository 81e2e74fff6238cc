import {
  countedMb,
  countedSeconds,
  type EligibilityLimits,
  inMilliseconds,
  type VideoAllowance,
  type VideoLimits,
  videoLimitsOf,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { type VideoFile, VideoUseRepository } from './video-use.repository.js';

/** Claimed by a client; can only tighten those of the plan. */
export type ClaimedLimits = EligibilityLimits;

export type VideoUser = Pick<Caller, 'userId' | 'role'>;

export interface Video extends VideoFile {
  readonly taskId: string;
}

const DAYS_OF_WEEK = 7;
const MONDAY = 1;

/** Monday 00:00 GMT. */
export function weekOf(moment: Date): Date {
  const day = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  const sinceMonday = (moment.getUTCDay() - MONDAY + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  return new Date(day - sinceMonday * inMilliseconds.days(1));
}

interface VideoTotal {
  readonly sizeMb: number;
  readonly length: number;
}

/** Reserved when processing starts, committed or released when it ends. */
@Injectable()
export class VideoAllowances {
  constructor(
    private readonly uses: VideoUseRepository,
    private readonly clock: BillingClock,
  ) {}

  async allowance(caller: VideoUser, claimed: ClaimedLimits = {}): Promise<VideoAllowance> {
    const limits = limitsOf(caller, claimed);
    const week = weekOf(this.clock.now());
    const used = totalOf(await this.uses.listWeek(caller.userId, week));
    return {
      period: 'weekly',
      ...limits,
      usedSizeMb: used.sizeMb,
      usedLength: used.length,
      resetsAt: new Date(week.getTime() + DAYS_OF_WEEK * inMilliseconds.days(1)).toISOString(),
      limitHit: hitOf(used, limits),
    };
  }

  async check(caller: VideoUser, file: VideoFile, claimed: ClaimedLimits = {}): Promise<VideoLimits> {
    const limits = limitsOf(caller, claimed);
    const week = weekOf(this.clock.now());
    requireWithinLimits(file, limits, totalOf(await this.uses.listWeek(caller.userId, week)));
    return limits;
  }

  /**
   * Once for each task, in the caller's transaction.
   * @throws AppError `videos.not_in_plan`; `videos.limit_reached` with the limit
   */
  async reserve(manager: EntityManager, caller: VideoUser, video: Video, claimed: ClaimedLimits = {}): Promise<void> {
    const limits = limitsOf(caller, claimed);
    await lockUsers(manager, caller.userId);
    const week = weekOf(this.clock.now());
    if (await this.uses.exists(manager, video.taskId)) return;
    requireWithinLimits(video, limits, totalOf(await this.uses.listWeek(caller.userId, week, manager)));
    await this.uses.insert(manager, { ...video, userId: caller.userId, week });
  }

  commit(manager: EntityManager, taskId: string): Promise<void> {
    return this.uses.commit(manager, taskId);
  }

  /** For a video that did not finish. Keeps what a finished one has used. */
  release(manager: EntityManager, taskId: string): Promise<void> {
    return this.uses.release(manager, taskId);
  }
}

function limitsOf({ role }: VideoUser, claimed: ClaimedLimits): VideoLimits {
  const limits = videoLimitsOf(role);
  if (!limits) throw new AppError('videos.not_in_plan');
  const tighter = (name: keyof VideoLimits): number => Math.min(limits[name], claimed[name] ?? limits[name]);
  return {
    maxSizeMb: tighter('maxSizeMb'),
    maxLength: tighter('maxLength'),
    maxPeriodSizeMb: tighter('maxPeriodSizeMb'),
    maxPeriodLength: tighter('maxPeriodLength'),
  };
}

function totalOf(videos: readonly VideoFile[]): VideoTotal {
  const tenths = videos.reduce((sum, { sizeBytes }) => sum + Math.round(countedMb(sizeBytes) * 10), 0);
  return { sizeMb: tenths / 10, length: videos.reduce((sum, { seconds }) => sum + countedSeconds(seconds), 0) };
}

const hitOf = ({ sizeMb, length }: VideoTotal, limits: VideoLimits): VideoAllowance['limitHit'] => {
  if (sizeMb >= limits.maxPeriodSizeMb) return 'size';
  return length >= limits.maxPeriodLength ? 'duration' : null;
};

function requireWithinLimits({ sizeBytes, seconds }: VideoFile, limits: VideoLimits, used: VideoTotal): void {
  const [sizeMb, length] = [countedMb(sizeBytes), countedSeconds(seconds)];
  const checks: readonly (readonly [string, number, number])[] = [
    ['max_size_mb', sizeMb, limits.maxSizeMb],
    ['max_length', length, limits.maxLength],
    ['max_period_size_mb', Math.round((used.sizeMb + sizeMb) * 10) / 10, limits.maxPeriodSizeMb],
    ['max_period_length', used.length + length, limits.maxPeriodLength],
  ];
  const hit = checks.find(([, value, limit]) => value > limit);
  if (hit) throw new AppError('videos.limit_reached', { details: { limit: hit[0], value: hit[1], allowed: hit[2] } });
}
