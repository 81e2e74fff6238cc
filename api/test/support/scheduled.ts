import { DiscoveryService } from '@nestjs/core';
import { SchedulesWork, type WorkSource } from '../../src/platform/schedule/work.js';
import { WorkRunner } from '../../src/platform/schedule/work-runner.js';
import type { TestApi } from './application.js';

export async function runScheduled(api: TestApi, prefix: string): Promise<void> {
  const sources = api.app.get(DiscoveryService, { strict: false }).getProviders({ metadataKey: SchedulesWork.KEY });
  const work = sources.flatMap(({ instance }) => (instance as WorkSource).scheduledWork);
  const chosen = work.filter(({ kind }) => kind.startsWith(prefix));
  if (chosen.length === 0) throw new Error(`no scheduled work starts with ${prefix}`);
  for (const one of chosen) await api.app.get(WorkRunner, { strict: false }).pass(one, { isForced: true });
}

export const retryNow = (api: TestApi) =>
  api.sql(
    `UPDATE work_attempts SET next_attempt_at = now()
     WHERE set_aside_at IS NULL AND subject <> '' AND (reason IS NOT NULL OR attempts = 0)`,
  );
