import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { Injectable } from '@nestjs/common';
import type { FastifyPluginCallback } from 'fastify';
import { RedisQueues } from './run-queues.js';

/** Changes nothing: runs are changed in the database. */
@Injectable()
export class QueueBoard {
  constructor(private readonly queues: RedisQueues) {}

  /** The pages, without access control. */
  pluginAt(path: string): FastifyPluginCallback {
    const serverAdapter = new FastifyAdapter();
    serverAdapter.setBasePath(path);
    createBullBoard({
      queues: this.queues.list().map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
      serverAdapter,
      options: { uiConfig: { boardTitle: 'Clearframe queues' } },
    });
    return serverAdapter.registerPlugin();
  }
}
