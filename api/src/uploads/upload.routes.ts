import { objectKeys } from '@clearframe/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import { type DiskStore, pipeInto } from '../storage/disk/disk-store.js';
import { verifyQuery } from '../storage/disk/signed-url.js';
import { tooLarge, UploadGate } from './upload-gate.js';
import type { UploadTasks } from './upload-tasks.js';

const TaskId = z.uuid();

/**
 * Takes bytes at a signed address, as an object store would: streamed to the disk, never held, whole or not at all.
 * Unlike one it looks at them on the way, so that a mistake is answered at once.
 */
export function registerUploadRoute(
  fastify: FastifyInstance,
  store: DiskStore,
  tasks: UploadTasks,
  signingSecret: string,
): void {
  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { taskId } = request.params as { taskId: string };
    if (!TaskId.safeParse(taskId).success) throw new AppError('uploads.not_found');
    const key = objectKeys.upload(taskId);
    const { max } = verifyQuery(signingSecret, request.query as Record<string, unknown>, {
      method: 'PUT',
      key,
      names: ['expires', 'max'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.url_expired',
    });
    const maxBytes = Number(max);
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    const gate = new UploadGate({ ...(await tasks.beginUpload(taskId)), maxBytes });
    try {
      await store.write(key, pipeInto(request.raw, gate));
    } catch (error) {
      throw request.raw.destroyed && !request.raw.complete && !(error instanceof AppError)
        ? new AppError('uploads.incomplete', { cause: error })
        : error;
    }
    const { sizeBytes, contentType } = gate;
    if (!contentType || !(await tasks.finishUpload(taskId, { sizeBytes, contentType }))) {
      await store.delete(key);
      throw new AppError('uploads.closed');
    }
    return reply.status(200).header('cache-control', 'no-store').send();
  };

  fastify.put('/media/uploads/:taskId', async (request, reply) => {
    try {
      return await receive(request, reply);
    } catch (error) {
      // The rest of a refused body is not read: the connection is worth less than 50 MB of somebody's bytes.
      if (!request.raw.complete) reply.header('connection', 'close');
      throw error;
    }
  });
}
