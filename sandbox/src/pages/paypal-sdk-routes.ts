import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Rejection, readInput, respondWithProblem } from '../core/problem.js';
import type { Wallet } from '../paypal/wallet.js';
import { orderTerms, subscriptionTerms } from './wallet-page.js';

const PREFIX = '/api/sandbox/paypal-sdk';

const clientId = z.string().max(255);
const customId = z.string().min(1).max(127);
const NewSubscription = z.strictObject({ client_id: clientId, plan_id: z.string().max(50), custom_id: customId });
const NewOrder = z.strictObject({
  client_id: clientId,
  custom_id: customId,
  /** Currency in the script's address. */
  currency: z.string(),
  amount: z.strictObject({
    currency_code: z.string().regex(/^[A-Z]{3}$/),
    value: z.string().regex(/^\d{1,9}\.\d{2}$/),
  }),
});
const Approval = z.strictObject({ client_id: clientId });

/** What `browser/paypal.js` calls for a payer. Anything can be created, as with PayPal's SDK; nothing is paid by it. */
export class PayPalSdkRoutes {
  constructor(
    private readonly wallet: Wallet,
    private readonly clientId: string,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await fastify.register(
      async (scope) => {
        scope.setErrorHandler(respondWithProblem);
        scope.post('/subscriptions', async ({ body }, reply) => {
          const { plan_id: planId, custom_id: custom } = this.read(NewSubscription, body);
          const subscription = await this.wallet.createSubscription(planId, custom);
          return reply.status(201).send({ id: subscription.id, ...subscriptionTerms(subscription) });
        });
        scope.post('/orders', async ({ body }, reply) => {
          const { amount, currency, custom_id: custom } = this.read(NewOrder, body);
          if (amount.currency_code !== currency) throw new Rejection('request.invalid', 'CURRENCY_MISMATCH');
          const amountCents = Math.round(Number(amount.value) * 100);
          const order = await this.wallet.createOrder({ amountCents, currency, customId: custom });
          return reply.status(201).send({ id: order.id, ...orderTerms(order) });
        });
        for (const kind of ['subscription', 'order'] as const) {
          scope.post<{ Params: { id: string } }>(`/${kind}s/:id/approve`, async ({ params, body }, reply) => {
            this.read(Approval, body);
            await this.wallet.approve(kind, params.id);
            return reply.status(204).send();
          });
        }
      },
      { prefix: PREFIX },
    );
  }

  private read<Output extends { readonly client_id: string }>(schema: z.ZodType<Output>, body: unknown): Output {
    const input = readInput(schema, body);
    if (input.client_id !== this.clientId) throw new Rejection('request.invalid', 'client-id not recognized');
    return input;
  }
}
