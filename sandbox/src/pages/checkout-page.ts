import type { Intent } from '../stripe/confirmations.js';
import { TEST_CARDS } from '../stripe/model/cards.js';
import { html } from './html.js';
import { alert, layout, money } from './layout.js';

/** Carried in the page's forms. */
export interface PageParams {
  readonly clientSecret: string;
  readonly returnUrl: string;
}

const grouped = (number: string): string => number.replace(/(?<=^(?:\d{4})+)(?=\d)/g, ' ');

const hiddenFields = ({ clientSecret, returnUrl }: PageParams) => html`
<input type="hidden" name="client_secret" value="${clientSecret}">
<input type="hidden" name="return_url" value="${returnUrl}">`;

const titleOf = (intent: Intent): string =>
  intent.object === 'payment_intent' ? `Pay ${money(intent.amount, intent.currency)}` : 'Save a card';

export const checkoutPage = (intent: Intent, params: PageParams, problem: string | null): string =>
  layout(
    titleOf(intent),
    html`
<h1>${titleOf(intent)}</h1>
<p class="quiet">${intent.object === 'payment_intent' ? 'Paid once.' : 'Nothing is charged now. The card is saved for your subscription.'}</p>
${alert(problem)}
<form method="post" action="/api/sandbox/pages/checkout">
${hiddenFields(params)}
<label for="card_number">Card number</label>
<input id="card_number" name="card_number" inputmode="numeric" autocomplete="off" placeholder="4242 4242 4242 4242">
<p class="quiet">Test cards only. Other numbers are rejected and not stored.</p>
<button class="main" name="action" value="pay">${titleOf(intent)}</button>
<h2 id="cards">Or choose a test card</h2>
<div class="cards" role="group" aria-labelledby="cards">
${TEST_CARDS.map(
  ({ number, label }) => html`
<button name="card_number" value="${number}"><span>${label}</span> <code>${grouped(number)}</code></button>`,
)}
</div>
<button class="bare" name="action" value="cancel">Go back without a card</button>
</form>`,
  );

/** The card's bank. */
export const authenticatePage = (intent: Intent, params: PageParams): string =>
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
${hiddenFields(params)}
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
