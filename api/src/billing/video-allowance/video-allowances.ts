import { inMilliseconds, megabytes, type VideoAllowance, type VideoLimits, videoLimitsOf } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import { lockUsers } from '../../platform/database/user-lock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { BillingClock } from '../providers/port/payment-provider.js';

/** What a client believes of its limits; it can only tighten what the plan allows. */
export type ClaimedLimits = Partial<VideoLimits>;

/** A video as it was probed. */
export interface Video {
  readonly taskId: string;
  readonly sizeBytes: number;
  readonly seconds: number;
}

/** Megabytes of a file as limits count them: to a tenth. */
export const countedMb = (sizeBytes: number): number => Math.round((sizeBytes / megabytes(1)) * 10) / 10;
/** Seconds of a file as limits count them: begun ones are whole. */
export const countedSeconds = (seconds: number): number => Math.ceil(seconds);

const DAYS_OF_WEEK = 7;
const MONDAY = 1;

/** The Monday 00:00 GMT that a moment's week began with. */
export function weekOf(moment: Date): Date {
  const day = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate());
  const sinceMonday = (moment.getUTCDay() - MONDAY + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  return new Date(day - sinceMonday * inMilliseconds.days(1));
}

interface Used {
  readonly sizeMb: number;
  readonly length: number;
}

/** What somebody uses of videos in a week. Set aside when work starts, kept when it is done, given back otherwise. */
@Injectable()
export class VideoAllowances {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: BillingClock,
  ) {}

  /** @throws AppError `videos.not_in_plan` */
  async allowance(caller: Caller, claimed: ClaimedLimits = {}): Promise<VideoAllowance> {
    const limits = limitsOf(caller, claimed);
    const week = weekOf(await this.clock.now());
    const used = await usedIn(this.database.manager, caller.userId, week);
    return {
      period: 'weekly',
      ...limits,
      usedSizeMb: used.sizeMb,
      usedLength: used.length,
      resetsAt: new Date(week.getTime() + DAYS_OF_WEEK * inMilliseconds.days(1)).toISOString(),
      limitHit: hitOf(used, limits),
    };
  }

  /**
   * Sets a probed video's use aside, in the caller's transaction; once a task.
   * @throws AppError `videos.not_in_plan`, `videos.limit_reached` with the limit that would be passed
   */
  async reserve(manager: EntityManager, caller: Caller, video: Video, claimed: ClaimedLimits = {}): Promise<void> {
    const limits = limitsOf(caller, claimed);
    await lockUsers(manager, caller.userId);
    const week = weekOf(await this.clock.now());
    const [known]: unknown[] = await manager.query('SELECT FROM video_uses WHERE task_id = $1', [video.taskId]);
    if (known) return;
    accept(video, limits, await usedIn(manager, caller.userId, week));
    await manager.query(
      `INSERT INTO video_uses (task_id, user_id, week, size_bytes, seconds, is_kept, created_at)
       VALUES ($1, $2, $3, $4, $5, false, now())`,
      [video.taskId, caller.userId, dayOf(week), video.sizeBytes, video.seconds],
    );
  }

  async commit(manager: EntityManager, taskId: string): Promise<void> {
    await manager.query('UPDATE video_uses SET is_kept = true WHERE task_id = $1', [taskId]);
  }

  async release(manager: EntityManager, taskId: string): Promise<void> {
    await manager.query('DELETE FROM video_uses WHERE task_id = $1 AND NOT is_kept', [taskId]);
  }
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 'yyyy-mm-dd'.length);

function limitsOf({ role }: Caller, claimed: ClaimedLimits): VideoLimits {
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

async function usedIn(manager: EntityManager, userId: string, week: Date): Promise<Used> {
  const rows: { size_bytes: string; seconds: number }[] = await manager.query(
    'SELECT size_bytes, seconds FROM video_uses WHERE user_id = $1 AND week = $2',
    [userId, dayOf(week)],
  );
  const tenths = rows.reduce((sum, row) => sum + Math.round(countedMb(Number(row.size_bytes)) * 10), 0);
  return { sizeMb: tenths / 10, length: rows.reduce((sum, row) => sum + countedSeconds(row.seconds), 0) };
}

const hitOf = ({ sizeMb, length }: Used, limits: VideoLimits): VideoAllowance['limitHit'] => {
  if (sizeMb >= limits.maxPeriodSizeMb) return 'size';
  return length >= limits.maxPeriodLength ? 'duration' : null;
};

function accept({ sizeBytes, seconds }: Video, limits: VideoLimits, used: Used): void {
  const [sizeMb, length] = [countedMb(sizeBytes), countedSeconds(seconds)];
  const passed: readonly (readonly [string, number, number])[] = [
    ['max_size_mb', sizeMb, limits.maxSizeMb],
    ['max_length', length, limits.maxLength],
    ['max_period_size_mb', Math.round((used.sizeMb + sizeMb) * 10) / 10, limits.maxPeriodSizeMb],
    ['max_period_length', used.length + length, limits.maxPeriodLength],
  ];
  const hit = passed.find(([, value, limit]) => value > limit);
  if (hit) throw new AppError('videos.limit_reached', { details: { limit: hit[0], value: hit[1], allowed: hit[2] } });
}
