import type { IncomingMessage } from 'node:http';
import { INVALID_CODES, inMilliseconds, objectKeys } from '@clearframe/contract';
import type { ObjectStore } from '@clearframe/runtime/storage';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../platform/errors/app-error.js';
import { requireSignedQuery } from '../../platform/storage/disk/signed-url.js';
import { tooLarge, UploadGate } from './upload-gate.js';
import type { UploadTasks } from './upload-tasks.js';

const TaskId = z.uuid();

/**
 * Passes a body through the gate. A request is not broken with the gate: what is left of it flows off, so that its sender
 * comes to the answer.
 */
async function pass(
  body: IncomingMessage,
  gate: UploadGate,
  store: (gate: UploadGate) => Promise<void>,
): Promise<void> {
  const onClose = () => {
    if (!body.complete) gate.destroy(new Error('the sender has hung up'));
  };
  body.once('close', onClose);
  // The connection may have closed while the task was looked up; a body that is gone emits nothing any more.
  if (body.destroyed) onClose();
  else body.pipe(gate);
  try {
    await store(gate);
  } finally {
    body.off('close', onClose);
    body.unpipe(gate);
    body.resume();
  }
}

/**
 * Takes bytes at a signed address, as an object store would: streamed to the disk, never held, whole or not at all.
 * Unlike one it looks at them on the way, so that a mistake is answered at once.
 */
export function registerUploadRoute(
  fastify: FastifyInstance,
  store: ObjectStore,
  tasks: UploadTasks,
  signingSecret: string,
): void {
  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { taskId } = request.params as { taskId: string };
    if (!TaskId.safeParse(taskId).success) throw new AppError('uploads.not_found');
    const key = objectKeys.upload(taskId);
    const { max, expires } = requireSignedQuery(signingSecret, request.query as Record<string, unknown>, {
      method: 'PUT',
      key,
      names: ['expires', 'max'],
      invalid: 'uploads.url_invalid',
      expired: 'uploads.url_expired',
    });
    const maxBytes = Number(max);
    const addressExpiresAt = new Date(inMilliseconds.seconds(Number(expires)));
    const promised = await tasks.beginUpload(taskId);
    const note = async (error: unknown): Promise<void> => {
      const refusal = error instanceof AppError && INVALID_CODES.find((code) => code === error.code);
      if (refusal) await tasks.refuseUpload(taskId, refusal);
    };
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    if (announced > maxBytes) {
      const error = tooLarge(maxBytes);
      await note(error);
      await tasks.abortUpload(taskId, addressExpiresAt);
      throw error;
    }
    const gate = new UploadGate({ ...promised, maxBytes }, note);
    try {
      await pass(request.raw, gate, (bytes) => store.put(key, bytes));
    } catch (error) {
      await tasks.abortUpload(taskId, addressExpiresAt);
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
      // Where the rest of a refused body is not waited for, the line is cut.
      if (!request.raw.complete) reply.header('connection', 'close');
      throw error;
    }
  });
}
