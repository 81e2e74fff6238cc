import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxDatabase } from './core/database.js';
import { productScope, Rejection, readInput } from './core/problem.js';

const SubscribeBody = z.object({ email: z.email() });

interface Row {
  readonly id: string;
  readonly email: string;
}

/** Accounts of the mobile app, each with a subscription that never ends. The second route is for the backend only. */
export class MobileRoutes {
  constructor(private readonly database: SandboxDatabase) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await productScope(fastify, (scope) => {
      scope.post('/api/sandbox/mobile/subscriptions', async ({ body }, reply) => {
        const { email } = readInput(SubscribeBody, body);
        const id = `sbx_mobile_${randomUUID()}`;
        await this.database.transact((client) =>
          client.query('INSERT INTO sandbox.mobile_accounts (id, email) VALUES ($1, $2)', [id, email.toLowerCase()]),
        );
        return reply.status(201).send({ oracle_backend_id: id });
      });
      scope.get('/internal/mobile/accounts/:id', async ({ params }) => {
        const { id } = params as { id: string };
        const { rows } = await this.database.transact(
          (client) => client.query<Row>('SELECT id, email FROM sandbox.mobile_accounts WHERE id = $1', [id]),
          true,
        );
        const [account] = rows;
        if (!account) throw new Rejection('mobile.not_found');
        return { oracle_backend_id: account.id, email: account.email };
      });
    });
  }
}
