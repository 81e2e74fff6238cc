import { type Currency, TRIAL_DAYS, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { findPlan } from '../paypal/model/plans.js';
import { type Html, html } from './html.js';
import { layout, money } from './layout.js';

export interface PlanOffer {
  readonly planId: string;
  readonly customId: string;
  readonly returnUrl: string;
}

export interface ChargeOffer {
  readonly amountCents: number;
  readonly currency: Currency;
  readonly customId: string;
  readonly returnUrl: string;
}

const every = (weeks: number): string => (weeks === 1 ? 'Every week' : `Every ${weeks} weeks`);

const page = (title: string, path: string, hidden: Readonly<Record<string, string>>, explanation: Html): string =>
  layout(
    title,
    html`
<h1>${title}</h1>
${explanation}
<form method="post" action="/api/sandbox/pages/wallet/${path}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="main" name="action" value="approve">Approve</button>
<button name="action" value="decline">Decline</button>
</form>`,
  );

/** Null for an unknown plan. */
export function planPage({ planId, customId, returnUrl }: PlanOffer): string | null {
  const plan = findPlan(planId);
  if (!plan) return null;
  const { _price: price, _hasTrial: hasTrial } = plan;
  const sum = money(price.amountCents, price.currency);
  const hidden = { plan_id: planId, custom_id: customId, return_url: returnUrl };
  return page(
    'Subscribe with your wallet',
    'subscription',
    hidden,
    html`
<p class="sum">${sum}</p>
<p class="quiet">${every(WEEKS_PER_PERIOD[price.period])}${hasTrial ? `, after ${TRIAL_DAYS} days for free` : ', from today'}.</p>`,
  );
}

export const chargePage = ({ amountCents, currency, customId, returnUrl }: ChargeOffer): string =>
  page(
    'Pay with your wallet',
    'charge',
    { amount_cents: String(amountCents), currency, custom_id: customId, return_url: returnUrl },
    html`<p class="sum">${money(amountCents, currency)}</p><p class="quiet">Paid once.</p>`,
  );

/** A real wallet shows it after a login; the sandbox has no accounts. */
export const AUTOMATIC_PAYMENTS_PAGE = layout(
  'Automatic payments',
  html`
<h1>Automatic payments</h1>
<p class="quiet">A real wallet lists subscriptions here after a login. The sandbox has no wallet accounts: cancel in Clearframe instead.</p>`,
);
