import type { Plan } from '@clearframe/contract';
import type { SubscriptionSnapshot } from '../../port/payment-provider.js';
import { planOf } from '../payments/agreement-lifecycle.js';
import { type Html, html } from './html.js';
import { alert, day, layout, money } from './layout.js';

const STATES: Readonly<Record<SubscriptionSnapshot['status'], string>> = {
  incomplete: 'First payment missing',
  incomplete_expired: 'Expired, never paid',
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Payment overdue',
  paused: 'Paused',
  unpaid: 'Unpaid',
  canceled: 'Ended',
};

const PLAN_NAMES: Readonly<Record<Plan, string>> = { personal: 'Personal', business: 'Business' };

const act = (id: string, action: string, label: string): Html => html`
<button name="action" value="${action}:${id}">${label}</button>`;

function actionsOf({ id, status, cancelAtPeriodEnd }: SubscriptionSnapshot): Html | null {
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
      return cancelAtPeriodEnd ? act(id, 'resume', 'Resume subscription') : act(id, 'cancel', 'Cancel subscription');
    default:
      return null;
  }
}

function termsOf({
  status,
  cancelAtPeriodEnd,
  currentPeriodEnd,
  endedAt,
}: SubscriptionSnapshot): readonly [string, string] {
  if (endedAt) return ['Ended', day(endedAt)];
  if (status === 'incomplete') return ['Started', 'not yet'];
  return [cancelAtPeriodEnd ? 'Ends' : 'Next payment', day(currentPeriodEnd)];
}

function subscription(snapshot: SubscriptionSnapshot): Html {
  const plan = planOf(snapshot.priceId);
  const [term, moment] = termsOf(snapshot);
  return html`
<section>
<h2>${PLAN_NAMES[plan.plan]}, ${plan.period}</h2>
<dl>
<dt>State</dt><dd>${STATES[snapshot.status]}</dd>
<dt>Price</dt><dd>${money(plan.amountCents, plan.currency)}</dd>
<dt>${term}</dt><dd>${moment}</dd>
</dl>
${actionsOf(snapshot)}
</section>`;
}

export const portalPage = (
  address: string,
  subscriptions: readonly SubscriptionSnapshot[],
  backUrl: string,
  problem: string | null,
): string =>
  layout(
    'Your subscriptions',
    html`
<h1>Your subscriptions</h1>
${alert(problem)}
<form method="post" action="${address}">
${subscriptions.length === 0 ? html`<p class="quiet">No subscriptions.</p>` : subscriptions.map(subscription)}
</form>
<a class="button bare" href="${backUrl}">Go back</a>`,
  );
