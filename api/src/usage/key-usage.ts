import { type AiPipeline, inMilliseconds, type MediaType, TEST_PICTURES_PER_DAY, toolsOf } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { BillingClock } from '../providers/billing-clock.js';
import type { Caller } from '../sessions/caller.js';
import { UsageRepository } from './usage.repository.js';

interface CountedTask {
  readonly runId: string | null;
  readonly isTest: boolean;
  readonly mediaType: MediaType;
  readonly aiPipeline: AiPipeline;
}

/** Counts what keys have enhanced, in the transactions that add and end the runs: never twice, and none is lost. */
@Injectable()
@HoldsPersonalData(['keyUsage'])
export class KeyUsage implements PersonalData<'keyUsage'> {
  constructor(
    private readonly repository: UsageRepository,
    private readonly clock: BillingClock,
  ) {}

  /**
   * Counts the task's run. The caller holds the task, and its transaction adds the run.
   * @throws AppError `users.not_authorized` for a key revoked during the request; `plugin_keys.test_exhausted`
   */
  async accept(
    manager: EntityManager,
    { userId, principal }: Pick<Caller, 'userId' | 'principal'>,
    { runId, isTest, mediaType, aiPipeline }: CountedTask,
  ): Promise<void> {
    const keyId = principal.kind === 'key' ? principal.keyId : null;
    if (!keyId && !isTest) return;
    if (!runId) throw new Error('a task without a run is not counted');
    if (keyId && !(await this.repository.holdKey(manager, keyId))) throw new AppError('users.not_authorized');
    const acceptedAt = this.clock.now();
    if (isTest && !(await this.repository.takeTestPicture(manager, userId, acceptedAt, TEST_PICTURES_PER_DAY)))
      throw testExhausted(acceptedAt);
    const tools = toolsOf(aiPipeline);
    await this.repository.insert(manager, { runId, userId, keyId, isTest, mediaType, tools, acceptedAt });
  }

  /** A video's run continues in another one. */
  continueAs(manager: EntityManager, runId: string, next: string): Promise<void> {
    return this.repository.replaceRun(manager, runId, next);
  }

  /** Gives back what a run without a result has used. */
  async release(manager: EntityManager, runId: string): Promise<void> {
    const row = await this.repository.delete(manager, runId);
    if (row?.isTest) await this.repository.returnTestPicture(manager, row.userId, row.acceptedAt);
  }

  /** A cancelled run counts once a worker has begun it. */
  async releaseUnstarted(manager: EntityManager, runId: string): Promise<void> {
    if (!(await this.repository.isStarted(manager, runId))) await this.release(manager, runId);
  }

  /** Tasks whose runs for the key no worker has taken. */
  listWaiting(keyId: string): Promise<string[]> {
    return this.repository.listWaiting(keyId);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'keyUsage'>> {
    return { keyUsage: await this.repository.listDays(userId) };
  }
}

function testExhausted(now: Date): AppError {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + inMilliseconds.days(1);
  return new AppError('plugin_keys.test_exhausted', {
    details: { limit: TEST_PICTURES_PER_DAY, resets_at: new Date(midnight).toISOString() },
    retryAfterSeconds: Math.ceil((midnight - now.getTime()) / 1000),
  });
}
