import { type Plan, priceOf } from '@clearframe/contract';
import { itemOf } from '../stripe/billing/lifecycle.js';
import type { Invoice, PaymentMethod, Subscription } from '../stripe/model/objects.js';
import { findPrice } from '../stripe/model/prices.js';
import { type Html, html } from './layout/html.js';
import { alert, day, layout, money } from './layout/layout.js';

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
export interface PortalContents {
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

export const portalPage = (
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
