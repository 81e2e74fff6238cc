import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { respondWithProblem } from '../platform/errors/problem.filter.js';
import { QueueBoard } from '../runs/queue-board.js';
import { StaffBrowserAccess } from '../staff/staff-access.js';

/** Address of the board; `web` forwards it. */
const QUEUE_BOARD_PATH = '/ops/queues';

/** The board asks another host for its fonts, which the content security policy refuses. */
const FOREIGN_FONTS = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>/;

export async function mountQueueBoard(app: NestFastifyApplication): Promise<void> {
  const access = app.get(StaffBrowserAccess);
  const board = app.get(QueueBoard, { strict: false });
  const requireStaff = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store');
    try {
      await access.require('staff.ops.queues', request, reply);
    } catch (error) {
      respondWithProblem(error as Error, request, reply);
    }
  };
  await app
    .getHttpAdapter()
    .getInstance()
    .register(async (scope) => {
      scope.addHook('onRequest', requireStaff);
      scope.addHook('onSend', async (_request, _reply, payload) =>
        typeof payload === 'string' ? payload.replace(FOREIGN_FONTS, '') : payload,
      );
      await scope.register(board.pluginAt(QUEUE_BOARD_PATH), { prefix: QUEUE_BOARD_PATH });
    });
}
