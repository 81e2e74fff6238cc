import type { EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { BulkUploadRow } from './bulk-upload.entity.js';
import { TaskRow } from './task.entity.js';

/**
 * The caller's upload with its tasks, while nobody else may change it.
 * @throws AppError `bulk_uploads.not_found`
 */
export async function lockBulkUpload(manager: EntityManager, caller: Caller, id: string) {
  const bulk = await manager.findOne(BulkUploadRow, {
    where: { id, userId: caller.userId },
    lock: { mode: 'pessimistic_write' },
  });
  if (!bulk) throw new AppError('bulk_uploads.not_found');
  // The tasks too: a cancellation that comes at the same moment is either before all of this or after.
  const tasks = await manager.find(TaskRow, {
    where: { bulkUploadId: bulk.id },
    order: { position: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  return { bulk, tasks };
}
