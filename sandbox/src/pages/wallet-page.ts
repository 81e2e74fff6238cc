import { TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { Rejection } from '../core/problem.js';
import type { Order, Subscription } from '../paypal/model/objects.js';
import { findPlan } from '../paypal/model/plans.js';
import { type Html, html } from './layout/html.js';
import { layout, money } from './layout/layout.js';

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

export function subscriptionTerms({ plan_id: planId }: Subscription): Terms {
  const plan = findPlan(planId);
  if (!plan) throw new Rejection('prices.not_found');
  const { _price: price, _hasTrial: hasTrial } = plan;
  const start = hasTrial ? `after ${TRIAL_DAYS} days for free` : 'from today';
  return {
    sum: money(price.amountCents, price.currency),
    note: `${every(WEEKS_PER_PERIOD[price.period])}, ${start}.`,
  };
}

export const orderTerms = ({ purchase_units: [{ amount }] }: Order): Terms => ({
  sum: money(Math.round(Number(amount.value) * 100), amount.currency_code),
  note: 'Paid once.',
});

const explanation = ({ sum, note }: Terms): Html => html`<p class="sum">${sum}</p><p class="quiet">${note}</p>`;

export const subscriptionPage = (subscription: Subscription): string =>
  page(
    'Subscribe with your wallet',
    { path: 'subscription', name: 'id', id: subscription.id },
    explanation(subscriptionTerms(subscription)),
  );

export const orderPage = (order: Order): string =>
  page('Pay with your wallet', { path: 'charge', name: 'token', id: order.id }, explanation(orderTerms(order)));

/** A real wallet shows it after a login; the sandbox has no accounts. */
export const AUTOMATIC_PAYMENTS_PAGE = layout(
  'Automatic payments',
  html`
<h1>Automatic payments</h1>
<p class="quiet">A real wallet lists subscriptions here after a login. The sandbox has no wallet accounts: cancel in Clearframe instead.</p>`,
);
