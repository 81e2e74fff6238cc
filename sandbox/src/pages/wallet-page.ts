import { TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { Rejection } from '../core/rejection.js';
import type { Order, Subscription } from '../paypal/model/objects.js';
import { findPlan } from '../paypal/model/plans.js';
import { type Html, html } from './html.js';
import { layout, money } from './layout.js';

const every = (weeks: number): string => (weeks === 1 ? 'Every week' : `Every ${weeks} weeks`);

interface Form {
  readonly path: string;
  /** Of its only field. */
  readonly name: string;
  readonly id: string;
}

const page = (title: string, { path, name, id }: Form, explanation: Html): string =>
  layout(
    title,
    html`
<h1>${title}</h1>
${explanation}
<form method="post" action="/api/sandbox/pages/wallet/${path}">
<input type="hidden" name="${name}" value="${id}">
<button class="main" name="action" value="approve">Approve</button>
<button name="action" value="decline">Decline</button>
</form>`,
  );

export function subscriptionPage({ id, plan_id: planId }: Subscription): string {
  const plan = findPlan(planId);
  if (!plan) throw new Rejection('prices.not_found');
  const { _price: price, _hasTrial: hasTrial } = plan;
  return page(
    'Subscribe with your wallet',
    { path: 'subscription', name: 'id', id },
    html`
<p class="sum">${money(price.amountCents, price.currency)}</p>
<p class="quiet">${every(WEEKS_PER_PERIOD[price.period])}${hasTrial ? `, after ${TRIAL_DAYS} days for free` : ', from today'}.</p>`,
  );
}

export function orderPage({ id, purchase_units: [{ amount }] }: Order): string {
  const sum = money(Math.round(Number(amount.value) * 100), amount.currency_code);
  const form = { path: 'charge', name: 'token', id };
  return page('Pay with your wallet', form, html`<p class="sum">${sum}</p><p class="quiet">Paid once.</p>`);
}

/** A real wallet shows it after a login; the sandbox has no accounts. */
export const AUTOMATIC_PAYMENTS_PAGE = layout(
  'Automatic payments',
  html`
<h1>Automatic payments</h1>
<p class="quiet">A real wallet lists subscriptions here after a login. The sandbox has no wallet accounts: cancel in Clearframe instead.</p>`,
);
