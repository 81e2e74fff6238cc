import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DueWork } from '../../src/platform/schedule/work.js';
import { WorkRunner } from '../../src/platform/schedule/work-runner.js';
import { startApi, type TestApi } from './application.js';

interface Attempt {
  readonly subject: string;
  readonly attempts: number;
  readonly reason: string | null;
  readonly is_aside: boolean;
  /** Seconds until the next attempt. */
  readonly wait: number;
}

export function useParcels() {
  const parcels = {} as { api: TestApi; runner: WorkRunner };
  beforeAll(async () => {
    parcels.api = await startApi();
    parcels.runner = parcels.api.app.get(WorkRunner, { strict: false });
    await parcels.api.sql('CREATE TABLE parcels (id int PRIMARY KEY, is_delivered boolean NOT NULL DEFAULT false)');
  });
  afterAll(() => parcels.api.stop());
  beforeEach(async () => {
    await parcels.api.sql(`DELETE FROM work_attempts WHERE kind LIKE 'test.%'`);
    await parcels.api.sql('TRUNCATE parcels');
    await parcels.api.sql('INSERT INTO parcels SELECT generate_series(1, 3)');
  });
  const deliver = (id: string) => parcels.api.sql('UPDATE parcels SET is_delivered = true WHERE id = $1', [id]);
  return Object.assign(parcels, {
    deliver,
    work: (change: Partial<DueWork> = {}): DueWork => ({
      kind: 'test.deliver',
      everyMs: 1000,
      timeoutMs: 10_000,
      backoff: { firstMs: 1000, maxMs: 3000 },
      maxAttempts: 3,
      due: () => ({ table: 'parcels', subject: 'id', where: 'NOT is_delivered', orderBy: 'id' }),
      run: async (id) => {
        await deliver(id);
      },
      ...change,
    }),
    delivered: async () =>
      (await parcels.api.sql<{ id: number }>('SELECT id FROM parcels WHERE is_delivered ORDER BY id')).map(
        ({ id }) => id,
      ),
    attempts: () =>
      parcels.api.sql<Attempt>(
        `SELECT subject, attempts, reason, set_aside_at IS NOT NULL AS is_aside,
           extract(epoch FROM next_attempt_at - now())::float AS wait
         FROM work_attempts WHERE kind LIKE 'test.%' ORDER BY subject`,
      ),
    becomeDue: () => parcels.api.sql(`UPDATE work_attempts SET next_attempt_at = now() WHERE kind LIKE 'test.%'`),
  });
}
