import { fromWire, sandboxRoutes } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { readInput, respondWithProblem } from '../core/problem.js';
import type { Accounts } from './accounts.js';
import type { IdentityTokens } from './identity-tokens.js';
import type { SigningKeys } from './signing-keys.js';

const { body: TokenBody } = sandboxRoutes.issueIdentityToken;
const AccountQuery = z.object({ email: z.email() });

/** Sign-in, and what only the product's backend calls: the key set (RFC 7517) and the deletion of a user. */
export class IdentityRoutes {
  constructor(
    private readonly keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly tokens: IdentityTokens,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await fastify.register(async (scope) => {
      scope.setErrorHandler(respondWithProblem);
      scope.addHook('onSend', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      scope.post('/api/sandbox/identity/tokens', async ({ body }) => ({
        id_token: await this.tokens.issue(readInput(TokenBody, fromWire(TokenBody, body))),
      }));
      scope.get('/api/sandbox/identity/accounts', async ({ query }) => {
        const { email } = readInput(AccountQuery, query);
        return { email, providers: await this.accounts.providersOf(email.toLowerCase()) };
      });
      scope.delete('/internal/identity/accounts/:uid', async ({ params }, reply) => {
        await this.accounts.delete((params as { uid: string }).uid);
        return reply.status(204).send();
      });
      scope.get('/internal/identity/keys', async () => ({ keys: [(await this.keys.current()).publicJwk] }));
    });
  }
}
