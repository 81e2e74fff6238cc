import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ledger } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import type { ReturnUrls } from '../core/return-urls.js';
import { type Confirmations, type Intent, intentBySecret } from '../stripe/confirmations.js';
import { declineBody } from '../stripe/model/errors.js';
import { type CheckoutSession, findObject } from '../stripe/model/objects.js';
import { SESSION_ID } from '../stripe/model/sessions.js';
import { authenticatePage, checkoutPage, expiredPage, outcomePage, type PageParams } from './checkout-page.js';
import { formOf, queryOf, sendPage } from './page-scope.js';

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
