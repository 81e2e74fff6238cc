import {
  type JobOutcome,
  type MediaType,
  type RouteInput,
  TEST_PICTURES_PER_DAY,
  type ToolName,
  USAGE_DAYS,
  type USAGE_ERRORS,
  type UsageList,
  type usageRoutes,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { invalidInput } from '../platform/http/route.decorator.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { type EndedRun, UsageRepository } from './usage.repository.js';
import { UsageThresholds } from './usage-thresholds.js';
import { addDays, dayOf, startOfNextDay, startOfNextMonth } from './utc.js';

interface CountedTask {
  readonly runId: string | null;
  readonly isTest: boolean;
  readonly mediaType: MediaType;
}

/** Counts what keys have had made, in the transactions that add and end the runs: never twice, and none is lost. */
@Injectable()
@HoldsPersonalData(['keyUsage'])
export class KeyUsage implements PersonalData<'keyUsage'> {
  constructor(
    private readonly repository: UsageRepository,
    private readonly thresholds: UsageThresholds,
    private readonly clock: BillingClock,
  ) {}

  /**
   * Counts the tasks' runs towards limits, all or none. The caller holds the tasks, and its transaction adds the runs.
   * @throws AppError `users.not_authorized` for a key revoked during the request; `plugin_keys.month_exhausted`;
   *   `plugin_keys.test_exhausted`
   */
  async accept(
    manager: EntityManager,
    { userId, principal }: Pick<Caller, 'userId' | 'principal'>,
    tasks: readonly CountedTask[],
  ): Promise<void> {
    const keyId = principal.kind === 'key' ? principal.keyId : null;
    const acceptedAt = this.clock.now();
    const runs = tasks
      .filter(({ isTest }) => keyId !== null || isTest)
      .map(({ runId, isTest, mediaType }) => {
        if (!runId) throw new Error('a task without a run is not counted');
        return { runId, userId, keyId, isTest, mediaType, acceptedAt };
      });
    if (runs.length === 0) return;
    if (keyId) await this.takeOfMonth(manager, keyId, runs.length, acceptedAt);
    const tests = runs.filter(({ isTest }) => isTest).length;
    const limit = TEST_PICTURES_PER_DAY;
    if (
      tests > 0 &&
      !(await this.repository.takeTestPictures(manager, userId, { count: tests, at: acceptedAt, limit }))
    )
      throw exhausted('plugin_keys.test_exhausted', limit, acceptedAt, startOfNextDay(acceptedAt));
    await this.repository.insert(manager, runs);
  }

  private async takeOfMonth(manager: EntityManager, keyId: string, count: number, at: Date): Promise<void> {
    const key = await this.repository.holdKey(manager, keyId);
    if (!key) throw new AppError('users.not_authorized');
    const month = await this.repository.takeOfMonth(manager, key, count, at);
    if (!month) throw exhausted('plugin_keys.month_exhausted', key.perMonth, at, startOfNextMonth(at));
    await this.thresholds.tell(manager, key, month, at);
  }

  /** A video's run continues in another one. */
  continueAs(manager: EntityManager, runId: string, next: string): Promise<void> {
    return this.repository.replaceRun(manager, runId, next);
  }

  /**
   * Counts how a run has ended, and gives back what it used without a result.
   * @param request its tools, and the pixels of a picture's result
   */
  async settle(
    manager: EntityManager,
    runId: string,
    outcome: JobOutcome['kind'],
    { tools, pixels = 0 }: { readonly tools: readonly ToolName[]; readonly pixels?: number },
  ): Promise<void> {
    const run = await this.repository.end(manager, runId);
    if (!run) return;
    if (outcome !== 'completed') await this.giveBack(manager, run);
    if (outcome === 'cancelled' || !run.keyId) return;
    const isMade = outcome === 'completed';
    await this.repository.addToDay(manager, run, this.clock.now(), {
      pictures: Number(isMade && run.mediaType === 'image'),
      videos: Number(isMade && run.mediaType === 'video'),
      pixels,
      failed: Number(!isMade),
      tools: isMade ? tools : [],
    });
  }

  /** Gives back what a run that its user ends has used, unless a worker has begun it. */
  async cancel(manager: EntityManager, runId: string): Promise<void> {
    const run = await this.repository.end(manager, runId);
    if (run && !(await this.repository.isStarted(manager, runId))) await this.giveBack(manager, run);
  }

  private async giveBack(manager: EntityManager, run: EndedRun): Promise<void> {
    if (run.keyId) await this.repository.returnToMonth(manager, run.userId, run.keyId, run.acceptedAt);
    if (run.isTest) await this.repository.returnTestPicture(manager, run.userId, run.acceptedAt);
  }

  /** Tasks whose runs for the key no worker has taken. */
  listWaiting(keyId: string): Promise<string[]> {
    return this.repository.listWaiting(keyId);
  }

  /**
   * A key sees what it reaches: a test key the test keys, a live key the others.
   * @throws AppError `plugin_keys.not_found`; `request.invalid` for a period that is empty or too long
   */
  async list(
    { userId, isTest }: Caller,
    {
      to = dayOf(this.clock.now()),
      from = addDays(to, 1 - USAGE_DAYS.usual),
      ...query
    }: RouteInput<typeof usageRoutes.listUsage>['query'],
  ): Promise<UsageList> {
    if (from > to) throw invalidInput({ from: 'Must not be after to, which is today unless it is sent' });
    if (addDays(from, USAGE_DAYS.max) <= to)
      throw invalidInput({ from: `Must be at most ${USAGE_DAYS.max} days before the end` });
    const kind = isTest === undefined ? null : isTest ? 'test' : 'live';
    const { limit, keyId = null } = query;
    if (keyId && !(await this.repository.hasKey(userId, keyId, kind))) throw new AppError('plugin_keys.not_found');
    const [day, afterKey] = query.startingAfter?.split(':') ?? [];
    const after = day && afterKey ? { day, keyId: afterKey } : null;
    if (after && (after.day < from || after.day > to))
      throw invalidInput({ starting_after: 'Must be a row of the same days' });
    const rows = await this.repository.list({ userId, from, to, kind, keyId, after, limit: limit + 1 });
    return { data: rows.slice(0, limit), hasMore: rows.length > limit };
  }

  async export(userId: string): Promise<Pick<ExportedData, 'keyUsage'>> {
    return { keyUsage: await this.repository.listAll(userId) };
  }
}

const exhausted = (code: (typeof USAGE_ERRORS)[number], limit: number | null, now: Date, resetsAt: Date): AppError =>
  new AppError(code, {
    details: { limit, resets_at: resetsAt.toISOString() },
    retryAfterSeconds: Math.ceil((resetsAt.getTime() - now.getTime()) / 1000),
  });
