import { TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { productScope, Rejection, readInput } from '../core/problem.js';
import type { ReturnUrls } from '../core/return-urls.js';
import type { ApprovalUrls, Order, Subscription } from '../paypal/objects.js';
import { findPlan } from '../paypal/plans.js';
import type { Wallet } from '../paypal/wallet.js';
import { type Html, html } from './html.js';
import { formOf, layout, money, queryOf, sendPage } from './layout.js';

const every = (weeks: number): string => (weeks === 1 ? 'Every week' : `Every ${weeks} weeks`);

interface Form {
  readonly path: string;
  readonly name: string;
  readonly id: string;
}

const page = (title: string, { path, name, id }: Form, terms: Html): string =>
  layout(
    title,
    html`
<h1>${title}</h1>
${terms}
<form method="post" action="/api/sandbox/pages/wallet/${path}">
<input type="hidden" name="${name}" value="${id}">
<button class="main" name="action" value="approve">Approve</button>
<button name="action" value="decline">Decline</button>
</form>`,
  );

interface Terms {
  readonly sum: string;
  readonly note: string;
}

function subscriptionTerms({ plan_id: planId }: Subscription): Terms {
  const plan = findPlan(planId);
  if (!plan) throw new Rejection('prices.not_found');
  const { _price: price, _hasTrial: hasTrial } = plan;
  const start = hasTrial ? `after ${TRIAL_DAYS} days for free` : 'from today';
  return {
    sum: money(price.amountCents, price.currency),
    note: `${every(WEEKS_PER_PERIOD[price.period])}, ${start}.`,
  };
}

const orderTerms = ({ purchase_units: [{ amount }] }: Order): Terms => ({
  sum: money(Math.round(Number(amount.value) * 100), amount.currency_code),
  note: 'Paid once.',
});

const explanation = ({ sum, note }: Terms): Html => html`<p class="sum">${sum}</p><p class="quiet">${note}</p>`;

const subscriptionPage = (subscription: Subscription): string =>
  page(
    'Subscribe with your wallet',
    { path: 'subscription', name: 'id', id: subscription.id },
    explanation(subscriptionTerms(subscription)),
  );

const orderPage = (order: Order): string =>
  page('Pay with your wallet', { path: 'charge', name: 'token', id: order.id }, explanation(orderTerms(order)));

/** A real wallet shows it after a login; the sandbox has no accounts. */
const AUTOMATIC_PAYMENTS_PAGE = layout(
  'Automatic payments',
  html`
<h1>Automatic payments</h1>
<p class="quiet">A real wallet lists subscriptions here after a login. The sandbox has no wallet accounts: cancel in Clearframe instead.</p>`,
);

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
    await productScope(fastify, (scope) => {
      scope.post('/api/sandbox/paypal-sdk/subscriptions', async ({ body }, reply) => {
        const { plan_id: planId, custom_id: custom } = this.read(NewSubscription, body);
        const subscription = await this.wallet.createSubscription(planId, custom);
        return reply.status(201).send({ id: subscription.id, ...subscriptionTerms(subscription) });
      });
      scope.post('/api/sandbox/paypal-sdk/orders', async ({ body }, reply) => {
        const { amount, currency, custom_id: custom } = this.read(NewOrder, body);
        if (amount.currency_code !== currency) throw new Rejection('request.invalid', 'CURRENCY_MISMATCH');
        const amountCents = Math.round(Number(amount.value) * 100);
        const order = await this.wallet.createOrder({ amountCents, currency, customId: custom });
        return reply.status(201).send({ id: order.id, ...orderTerms(order) });
      });
      for (const kind of ['subscription', 'order'] as const) {
        scope.post<{ Params: { id: string } }>(
          `/api/sandbox/paypal-sdk/${kind}s/:id/approve`,
          async ({ params, body }, reply) => {
            this.read(Approval, body);
            await this.wallet.approve(kind, params.id);
            return reply.status(204).send();
          },
        );
      }
    });
  }

  private read<Output extends { readonly client_id: string }>(schema: z.ZodType<Output>, body: unknown): Output {
    const input = readInput(schema, body);
    if (input.client_id !== this.clientId) throw new Rejection('request.invalid', 'client-id not recognized');
    return input;
  }
}

const SUBSCRIPTION = '/api/sandbox/pages/wallet/subscription';
const CHARGE = '/api/sandbox/pages/wallet/charge';
const AUTOMATIC_PAYMENTS = '/api/sandbox/pages/wallet/automatic-payments';

export class WalletPages {
  constructor(
    private readonly wallet: Wallet,
    private readonly returns: ReturnUrls,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(AUTOMATIC_PAYMENTS, async (_request, reply) => sendPage(reply, AUTOMATIC_PAYMENTS_PAGE));
    scope.get(SUBSCRIPTION, async (request, reply) => {
      const subscription = await this.wallet.find('subscription', queryOf(request).get('id') ?? '');
      return sendPage(reply, subscriptionPage(subscription));
    });
    scope.post(SUBSCRIPTION, async (request, reply) => {
      const form = formOf(request);
      const { id, _approval: approval } = await this.wallet.find('subscription', form.get('id') ?? '');
      const result = { subscription_id: id, ba_token: id, token: id };
      return this.redirectBack(reply, approval, form, result, () => this.wallet.approve('subscription', id));
    });
    scope.get(CHARGE, async (request, reply) =>
      sendPage(reply, orderPage(await this.wallet.find('order', queryOf(request).get('token') ?? ''))),
    );
    scope.post(CHARGE, async (request, reply) => {
      const form = formOf(request);
      const { id, _approval: approval } = await this.wallet.find('order', form.get('token') ?? '');
      return this.redirectBack(reply, approval, form, { token: id }, () => this.wallet.approve('order', id));
    });
  }

  private async redirectBack(
    reply: FastifyReply,
    approval: ApprovalUrls | null,
    form: URLSearchParams,
    result: Readonly<Record<string, string>>,
    approve: () => Promise<void>,
  ): Promise<FastifyReply> {
    if (!approval) throw new Rejection('payments.not_found');
    const isApproved = form.get('action') === 'approve';
    const address = isApproved ? approval.returnUrl : approval.cancelUrl;
    this.returns.check(address);
    if (isApproved) await approve();
    return reply.redirect(this.returns.with(address, isApproved ? result : {}), 303);
  }
}
