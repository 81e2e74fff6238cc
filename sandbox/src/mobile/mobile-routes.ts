import { randomUUID } from 'node:crypto';
import { fromWire, sandboxMobileRoutes } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';
import type { SandboxDatabase } from '../core/database.js';
import { readInput, respondWithProblem } from '../core/problem.js';
import { Rejection } from '../core/rejection.js';

const { subscribe } = sandboxMobileRoutes;

interface Row {
  readonly id: string;
  readonly email: string;
}

/** Accounts of the mobile app, each with a subscription that never ends. The second route is for the backend only. */
export class MobileRoutes {
  constructor(private readonly database: SandboxDatabase) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await fastify.register(
      async (scope) => {
        scope.setErrorHandler(respondWithProblem);
        scope.addHook('onSend', async (_request, reply) => {
          reply.header('cache-control', 'no-store');
        });
        scope.post('/subscriptions', async ({ body }, reply) => {
          const { email } = readInput(subscribe.body, fromWire(subscribe.body, body));
          const id = `sbx_mobile_${randomUUID()}`;
          await this.database.transact((client) =>
            client.query('INSERT INTO sandbox.mobile_accounts (id, email) VALUES ($1, $2)', [id, email.toLowerCase()]),
          );
          return reply.status(201).send({ oracle_backend_id: id });
        });
        scope.get('/accounts/:id', async ({ params }) => {
          const { id } = params as { id: string };
          const { rows } = await this.database.transact(
            (client) => client.query<Row>('SELECT id, email FROM sandbox.mobile_accounts WHERE id = $1', [id]),
            true,
          );
          const [account] = rows;
          if (!account) throw new Rejection('mobile.not_found');
          return { oracle_backend_id: account.id, email: account.email };
        });
      },
      { prefix: `${subscribe.base}/mobile` },
    );
  }
}
