import type { Intent } from '../stripe/confirmations.js';
import { TEST_CARDS } from '../stripe/model/cards.js';
import type { CheckoutSession } from '../stripe/model/objects.js';
import { html } from './layout/html.js';
import { alert, layout, money } from './layout/layout.js';

/** Parameters of the bank's page, carried in its form. */
export interface PageParams {
  readonly clientSecret: string;
  readonly returnUrl: string;
}

const grouped = (number: string): string => number.replace(/(?<=^(?:\d{4})+)(?=\d)/g, ' ');

const titleOf = ({ amount_total: amount, currency }: CheckoutSession): string =>
  amount !== null && currency !== null ? `Pay ${money(amount, currency)}` : 'Save a card';

export const checkoutPage = (session: CheckoutSession, problem: string | null): string =>
  layout(
    titleOf(session),
    html`
<h1>${titleOf(session)}</h1>
<p class="quiet">${session.mode === 'payment' ? 'Paid once.' : 'Nothing is charged now. The card is saved for your subscription.'}</p>
${alert(problem)}
<form method="post" action="/api/sandbox/pages/checkout">
<input type="hidden" name="session" value="${session.id}">
<label for="card_number">Card number</label>
<input id="card_number" name="card_number" inputmode="numeric" autocomplete="off" placeholder="4242 4242 4242 4242">
<p class="quiet">Test cards only. Other numbers are rejected and not stored.</p>
<button class="main" name="action" value="pay">${titleOf(session)}</button>
<h2 id="cards">Or choose a test card</h2>
<div class="cards" role="group" aria-labelledby="cards">
${TEST_CARDS.map(
  ({ number, label }) => html`
<button name="card_number" value="${number}"><span>${label}</span> <code>${grouped(number)}</code></button>`,
)}
</div>
${session.cancel_url !== null && html`<button class="bare" name="action" value="cancel">Go back without a card</button>`}
</form>`,
  );

/** For a session that can't be paid any more. */
export const expiredPage = (backUrl: string): string =>
  layout(
    'This page has expired',
    html`
<h1>This page has expired</h1>
<p class="quiet">Nothing was charged.</p>
<a class="button" href="${backUrl}">Go back</a>`,
  );

export const authenticatePage = (intent: Intent, { clientSecret, returnUrl }: PageParams): string =>
  layout(
    'Confirm it is you',
    html`
<h1>Your bank asks: is this you?</h1>
${
  intent.object === 'payment_intent'
    ? html`<p class="sum">${money(intent.amount, intent.currency)}</p>`
    : html`<p class="quiet">A card will be saved for a subscription.</p>`
}
<form method="post" action="/api/sandbox/pages/authenticate">
<input type="hidden" name="client_secret" value="${clientSecret}">
<input type="hidden" name="return_url" value="${returnUrl}">
<button class="main" name="action" value="approve">Yes, confirm</button>
<button name="action" value="decline">No, decline</button>
</form>`,
  );

/** Shown without a return URL. */
export const outcomePage = (isDone: boolean): string =>
  layout(
    isDone ? 'Done' : 'Not confirmed',
    html`
<h1>${isDone ? 'Done' : 'Not confirmed'}</h1>
<p class="quiet">${isDone ? 'The card was accepted.' : 'The card was not accepted.'} You can close this page.</p>`,
  );
