import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ledger } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import type { ReturnUrls } from '../core/return-urls.js';
import { TEST_CARDS } from '../stripe/cards.js';
import { type Confirmations, type Intent, intentBySecret } from '../stripe/confirmations.js';
import { declineBody } from '../stripe/errors.js';
import { type CheckoutSession, findObject } from '../stripe/objects.js';
import { SESSION_ID } from '../stripe/sessions.js';
import { html } from './html.js';
import { alert, formOf, layout, money, queryOf, sendPage } from './layout.js';

/** Parameters of the bank's page, carried in its form. */
interface PageParams {
  readonly clientSecret: string;
  readonly returnUrl: string;
}

const grouped = (number: string): string => number.replace(/(?<=^(?:\d{4})+)(?=\d)/g, ' ');

const titleOf = ({ amount_total: amount, currency }: CheckoutSession): string =>
  amount !== null && currency !== null ? `Pay ${money(amount, currency)}` : 'Save a card';

const checkoutPage = (session: CheckoutSession, problem: string | null): string =>
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
const expiredPage = (backUrl: string): string =>
  layout(
    'This page has expired',
    html`
<h1>This page has expired</h1>
<p class="quiet">Nothing was charged.</p>
<a class="button" href="${backUrl}">Go back</a>`,
  );

const authenticatePage = (intent: Intent, { clientSecret, returnUrl }: PageParams): string =>
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
const outcomePage = (isDone: boolean): string =>
  layout(
    isDone ? 'Done' : 'Not confirmed',
    html`
<h1>${isDone ? 'Done' : 'Not confirmed'}</h1>
<p class="quiet">${isDone ? 'The card was accepted.' : 'The card was not accepted.'} You can close this page.</p>`,
  );

const CHECKOUT = '/api/sandbox/pages/checkout';
const AUTHENTICATE = '/api/sandbox/pages/authenticate';
const PAYMENT_REQUIRED = 402;
const GONE = 410;

/** Errors before an authorization. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'sandbox.real_card_refused': 'This may be a real card. It was not stored. Please use a test card.',
  'request.invalid': 'That is not the number of a test card.',
};

export class CardPages {
  constructor(
    private readonly ledger: Ledger,
    private readonly confirmations: Confirmations,
    private readonly returns: ReturnUrls,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(CHECKOUT, (request, reply) => this.showCheckout(request, reply));
    scope.post(CHECKOUT, (request, reply) => this.checkOut(request, reply));
    scope.get(AUTHENTICATE, (request, reply) => this.showAuthentication(request, reply));
    scope.post(AUTHENTICATE, (request, reply) => this.authenticate(request, reply));
  }

  private async showCheckout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = queryOf(request);
    const session = await this.sessionOf(query);
    if (session.status !== 'open') return this.leave(reply, session);
    // Back from the bank.
    const isFailed = query.get('redirect_status') === 'failed';
    return sendPage(reply, checkoutPage(session, isFailed ? declineBody('authentication_failed').message : null));
  }

  private async checkOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const session = await this.sessionOf(form);
    if (form.get('action') === 'cancel' && session.cancel_url !== null) {
      return reply.redirect(this.returns.check(session.cancel_url).href, 303);
    }
    if (session.status !== 'open') return this.leave(reply, session);
    // The field and the buttons share a name; the pressed button comes after the typed value.
    const number = form.getAll('card_number').filter(Boolean).at(-1) ?? '';
    try {
      const { confirmation, intent } = await this.confirmations.submit(session.id, number);
      switch (confirmation.status) {
        case 'succeeded':
          return this.leave(reply, { ...session, status: 'complete' });
        case 'requires_action': {
          const returnUrl = this.returns.pageOf('checkout', { session: session.id });
          const query = { client_secret: intent.client_secret, return_url: returnUrl };
          return reply.redirect(this.returns.pageOf('authenticate', query), 303);
        }
        case 'failed':
          return sendPage(reply, checkoutPage(session, declineBody(confirmation.errorCode).message), PAYMENT_REQUIRED);
      }
    } catch (error) {
      const problem = error instanceof Rejection ? PROBLEMS[error.code] : undefined;
      if (!(error instanceof Rejection) || problem === undefined) throw error;
      return sendPage(reply, checkoutPage(session, problem), error.status);
    }
  }

  /** A completed session leads back to the product. */
  private leave(reply: FastifyReply, session: CheckoutSession): FastifyReply {
    if (session.status !== 'complete') {
      const backUrl = this.returns.check(session.cancel_url ?? session.success_url);
      return sendPage(reply, expiredPage(backUrl.href), GONE);
    }
    return reply.redirect(this.returns.check(session.success_url.replace(SESSION_ID, session.id)).href, 303);
  }

  private async showAuthentication(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const params = paramsOf(queryOf(request));
    if (params.returnUrl) this.returns.check(params.returnUrl);
    return sendPage(reply, authenticatePage(await this.intentOf(params), params));
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const params = paramsOf(form);
    const { clientSecret, returnUrl } = params;
    if (returnUrl) this.returns.check(returnUrl);
    const intent = await this.intentOf(params);
    const { status } = await this.confirmations.authenticate(clientSecret, form.get('action') === 'approve');
    if (!returnUrl) return sendPage(reply, outcomePage(status === 'succeeded'));
    const result = {
      redirect_status: status,
      [intent.object]: intent.id,
      [`${intent.object}_client_secret`]: clientSecret,
    };
    return reply.redirect(this.returns.with(returnUrl, result), 303);
  }

  private intentOf({ clientSecret }: PageParams): Promise<Intent> {
    return this.ledger.read((reader) => intentBySecret(reader, clientSecret));
  }

  private async sessionOf(values: URLSearchParams): Promise<CheckoutSession> {
    const id = values.get('session') ?? '';
    const session = await this.ledger.read((reader) => findObject(reader, 'checkout.session', id));
    if (!session) throw new Rejection('payments.not_found');
    return session;
  }
}

const paramsOf = (values: URLSearchParams): PageParams => ({
  clientSecret: values.get('client_secret') ?? '',
  returnUrl: values.get('return_url') ?? '',
});
