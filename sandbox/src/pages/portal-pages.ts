import { type Plan, priceOf } from '@clearframe/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../core/ids.js';
import type { Ledger } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import type { ReturnUrls } from '../core/return-urls.js';
import type { Confirmations } from '../stripe/confirmations.js';
import { StripeError } from '../stripe/errors.js';
import { itemOf } from '../stripe/lifecycle.js';
import {
  type Invoice,
  listObjects,
  type PaymentMethod,
  type PortalSession,
  type Subscription,
} from '../stripe/objects.js';
import { findPrice } from '../stripe/prices.js';
import { updateSubscription } from '../stripe/subscriptions.js';
import { type Html, html } from './html.js';
import { alert, day, formOf, layout, money, sendPage } from './layout.js';

const STATES: Readonly<Record<Subscription['status'], string>> = {
  incomplete: 'First payment missing',
  incomplete_expired: 'Expired, never paid',
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment overdue',
  canceled: 'Ended',
};

const PLAN_NAMES: Readonly<Record<Plan, string>> = { personal: 'Personal', business: 'Business' };

const act = (id: string, action: string, label: string): Html => html`
<button name="action" value="${action}:${id}">${label}</button>`;

function actionsOf({ id, status, cancel_at_period_end: cancels }: Subscription): Html | null {
  switch (status) {
    case 'incomplete':
    case 'past_due':
      return html`
<label for="card-${id}">Pay by another card</label>
<input id="card-${id}" name="card_number:${id}" inputmode="numeric" autocomplete="off" placeholder="4242 4242 4242 4242">
${act(id, 'pay', 'Pay now')}
${status === 'past_due' ? act(id, 'cancel', 'Cancel subscription') : null}`;
    case 'trialing':
    case 'active':
      return cancels ? act(id, 'resume', 'Resume subscription') : act(id, 'cancel', 'Cancel subscription');
    default:
      return null;
  }
}

const dateOf = (seconds: number): string => day(new Date(seconds * 1000));

function termsOf(subscription: Subscription): readonly [string, string] {
  const { status, ended_at: endedAt, cancel_at_period_end: cancels } = subscription;
  if (endedAt !== null) return ['Ended', dateOf(endedAt)];
  if (status === 'incomplete') return ['Started', 'not yet'];
  return [cancels ? 'Ends' : 'Next payment', dateOf(itemOf(subscription).current_period_end)];
}

/** The price that renews, also during an introductory period. */
const renewalPriceOf = (subscription: Subscription) =>
  (subscription._nextPrice === null ? null : findPrice(subscription._nextPrice)) ?? itemOf(subscription).price;

function subscriptionSection(subscription: Subscription): Html | null {
  const price = renewalPriceOf(subscription);
  const plan = priceOf(price.lookup_key);
  if (plan?.kind !== 'plan') return null;
  const [term, moment] = termsOf(subscription);
  return html`
<section>
<h2>${PLAN_NAMES[plan.plan]}, ${plan.period}</h2>
<dl>
<dt>State</dt><dd>${STATES[subscription.status]}</dd>
<dt>Price</dt><dd>${money(price.unit_amount, price.currency)}</dd>
<dt>${term}</dt><dd>${moment}</dd>
</dl>
${actionsOf(subscription)}
</section>`;
}

/** What a customer has, for the page. */
interface PortalContents {
  readonly subscriptions: readonly Subscription[];
  readonly methods: readonly PaymentMethod[];
  readonly paid: readonly Invoice[];
}

const cardsSection = (methods: readonly PaymentMethod[]): Html | null =>
  methods.length === 0
    ? null
    : html`
<section>
<h2>Cards</h2>
<dl>${methods.map(({ card, created }) => html`<dt>Saved ${dateOf(created)}</dt><dd>•••• ${card.last4}</dd>`)}</dl>
</section>`;

const receiptsSection = (paid: readonly Invoice[]): Html | null =>
  paid.length === 0
    ? null
    : html`
<section>
<h2>Receipts</h2>
<dl>${paid.map(
        ({ created, amount_paid: amount, currency }) =>
          html`<dt>${dateOf(created)}</dt><dd>${money(amount, currency)}</dd>`,
      )}</dl>
</section>`;

const portalPage = (
  address: string,
  { subscriptions, methods, paid }: PortalContents,
  backUrl: string,
  problem: string | null,
): string =>
  layout(
    'Your subscriptions',
    html`
<h1>Your subscriptions</h1>
${alert(problem)}
<form method="post" action="${address}">
${subscriptions.length === 0 ? html`<p class="quiet">No subscriptions.</p>` : subscriptions.map(subscriptionSection)}
</form>
${cardsSection(methods)}
${receiptsSection(paid)}
<a class="button bare" href="${backUrl}">Go back</a>`,
  );

export const PORTAL_PATH = '/api/sandbox/pages/portal';

export class PortalPages {
  constructor(
    private readonly ledger: Ledger,
    private readonly confirmations: Confirmations,
    private readonly returns: ReturnUrls,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(`${PORTAL_PATH}/:token`, (request, reply) => this.show(request, reply, null));
    scope.post(`${PORTAL_PATH}/:token`, (request, reply) => this.act(request, reply));
  }

  private async show(request: FastifyRequest, reply: FastifyReply, problem: string | null): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const session = await this.sessionOf(token);
    const backUrl = session.return_url ?? this.returns.publicUrl;
    const page = portalPage(`${PORTAL_PATH}/${token}`, await this.contentsOf(session), backUrl, problem);
    return sendPage(reply, page, problem === null ? 200 : 422);
  }

  private async act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const form = formOf(request);
    const [action, id = ''] = (form.get('action') ?? '').split(':');
    const own = await this.subscriptionsOf(await this.sessionOf(token));
    if (!own.some((subscription) => subscription.id === id)) throw new Rejection('subscriptions.not_found');
    const problem = await this.perform(action, id, form.get(`card_number:${id}`) ?? '');
    if (problem !== null) return this.show(request, reply, problem);
    return reply.redirect(`${this.returns.publicUrl}${PORTAL_PATH}/${token}`, 303);
  }

  /** @returns the error message, or null */
  private async perform(action: string | undefined, id: string, cardNumber: string): Promise<string | null> {
    try {
      if (action === 'cancel' || action === 'resume') {
        const change = { cancel_at_period_end: action === 'cancel' };
        await this.ledger.transact((tx) => updateSubscription(tx, id, change));
      }
      if (action !== 'pay') return null;
      const failure = await this.confirmations.payOpenInvoice(id, cardNumber);
      return failure === null ? null : 'This card was declined. Please try another one.';
    } catch (error) {
      if (error instanceof StripeError) return 'This can no longer be changed.';
      if (error instanceof Rejection) return 'That is not the number of a test card. It was not stored.';
      throw error;
    }
  }

  private async sessionOf(token: string): Promise<PortalSession> {
    const [session] = await this.ledger.read((reader) =>
      listObjects(reader, 'billing_portal.session', { _tokenHash: sha256(token) }),
    );
    if (!session || session._expiresAt * 1000 < Date.now()) throw new Rejection('request.not_found');
    return session;
  }

  private contentsOf({ customer }: PortalSession): Promise<PortalContents> {
    return this.ledger.read(async (reader) => ({
      subscriptions: await listObjects(reader, 'subscription', { customer }),
      methods: await listObjects(reader, 'payment_method', { customer }),
      paid: (await listObjects(reader, 'invoice', { customer })).filter(({ amount_paid: amount }) => amount > 0),
    }));
  }

  private subscriptionsOf({ customer }: PortalSession): Promise<Subscription[]> {
    return this.ledger.read((reader) => listObjects(reader, 'subscription', { customer }));
  }
}
