import { fromWire, sandboxRoutes } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { readInput, respondWithProblem } from '../core/problem.js';
import type { Accounts } from './accounts.js';
import type { IdentityTokens } from './identity-tokens.js';
import type { SigningKeys } from './signing-keys.js';

const { issueIdentityToken, getIdentityAccount } = sandboxRoutes;

/** The product's routes of sign-in, and what only its backend calls: the key set (RFC 7517) and the deletion of a user. */
export class IdentityRoutes {
  constructor(
    private readonly keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly tokens: IdentityTokens,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await fastify.register(
      async (scope) => {
        scope.setErrorHandler(respondWithProblem);
        scope.addHook('onSend', async (_request, reply) => {
          reply.header('cache-control', 'no-store');
        });
        scope.post('/tokens', async ({ body }) => ({
          id_token: await this.tokens.issue(read(issueIdentityToken.body, body)),
        }));
        scope.get('/accounts', async ({ query }) => {
          const { email } = read(getIdentityAccount.query, query);
          return { email, providers: await this.accounts.providersOf(email.toLowerCase()) };
        });
        scope.delete('/accounts/:uid', async ({ params }, reply) => {
          await this.accounts.delete((params as { uid: string }).uid);
          return reply.status(204).send();
        });
        scope.get('/keys', async () => ({ keys: [(await this.keys.current()).publicJwk] }));
      },
      { prefix: `${issueIdentityToken.base}/identity` },
    );
  }
}

const read = <Schema extends z.ZodType>(schema: Schema, wire: unknown): z.output<Schema> =>
  readInput(schema, fromWire(schema, wire));
