import { createHash } from 'node:crypto';
import type { useEnhance } from '../../../api/test/support/enhance-fixture.js';

/** Whether the API has these bytes as the mask of a task. */
export async function hasMask(
  api: ReturnType<typeof useEnhance>['api'],
  taskId: string,
  mask: Buffer,
): Promise<boolean> {
  const rows = await api().sql<{ sha256: string }>(`SELECT mask->>'sha256' AS sha256 FROM tasks WHERE id = $1`, [
    taskId,
  ]);
  return rows[0]?.sha256 === createHash('sha256').update(mask).digest('hex');
}
