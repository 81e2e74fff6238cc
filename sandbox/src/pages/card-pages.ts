import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ledger } from '../core/ledger.js';
import { Rejection } from '../core/rejection.js';
import type { ReturnUrls } from '../core/return-urls.js';
import { type Confirmation, type Confirmations, type Intent, intentBySecret } from '../stripe/confirmations.js';
import { authenticatePage, checkoutPage, outcomePage, type PageParams } from './checkout-page.js';
import { formOf, queryOf, sendPage } from './page-scope.js';

const CHECKOUT = '/api/sandbox/pages/checkout';
const AUTHENTICATE = '/api/sandbox/pages/authenticate';

/** Errors before an authorization. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'sandbox.real_card_refused': 'This may be a real card. It was not stored. Please use a test card.',
  'request.invalid': 'That is not the number of a test card.',
};

/** Card entry and the page of the card's bank, without scripts. */
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
    const params = paramsOf(queryOf(request));
    this.returns.check(params.returnUrl);
    const intent = await this.intentOf(params);
    // The payer went back to a completed page.
    if (intent.status === 'succeeded' && intent.payment_method) {
      return this.redirectBack(reply, intent, params, { status: 'succeeded', paymentMethodId: intent.payment_method });
    }
    return sendPage(reply, checkoutPage(intent, params, null));
  }

  private async checkOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const params = paramsOf(form);
    this.returns.check(params.returnUrl);
    const intent = await this.intentOf(params);
    if (form.get('action') === 'cancel') {
      return reply.redirect(this.returns.with(params.returnUrl, { redirect_status: 'canceled' }), 303);
    }
    // The field and the buttons share a name; the pressed button comes after the typed value.
    const number = form.getAll('card_number').filter(Boolean).at(-1) ?? '';
    try {
      const confirmation = await this.confirmations.confirm(intent.object, intent.id, number);
      return this.redirectBack(reply, intent, params, confirmation);
    } catch (error) {
      const problem = error instanceof Rejection ? PROBLEMS[error.code] : undefined;
      if (!(error instanceof Rejection) || problem === undefined) throw error;
      return sendPage(reply, checkoutPage(intent, params, problem), error.status);
    }
  }

  private async showAuthentication(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const params = paramsOf(queryOf(request));
    if (params.returnUrl) this.returns.check(params.returnUrl);
    return sendPage(reply, authenticatePage(await this.intentOf(params), params));
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const params = paramsOf(form);
    if (params.returnUrl) this.returns.check(params.returnUrl);
    const intent = await this.intentOf(params);
    const confirmation = await this.confirmations.authenticate(params.clientSecret, form.get('action') === 'approve');
    if (!params.returnUrl) return sendPage(reply, outcomePage(confirmation.status === 'succeeded'));
    return this.redirectBack(reply, intent, params, confirmation);
  }

  /** To the product, or to the card's bank. */
  private redirectBack(
    reply: FastifyReply,
    intent: Intent,
    { clientSecret, returnUrl }: PageParams,
    confirmation: Confirmation,
  ): FastifyReply {
    if (confirmation.status === 'requires_action') {
      const query = { client_secret: clientSecret, return_url: returnUrl };
      return reply.redirect(this.returns.pageOf('authenticate', query), 303);
    }
    const isSavedCard = confirmation.status === 'succeeded' && intent.object === 'setup_intent';
    const result = {
      redirect_status: confirmation.status,
      [intent.object]: intent.id,
      [`${intent.object}_client_secret`]: clientSecret,
      error_code: confirmation.status === 'failed' ? confirmation.errorCode : undefined,
      payment_method_id: isSavedCard ? confirmation.paymentMethodId : undefined,
    };
    return reply.redirect(this.returns.with(returnUrl, result), 303);
  }

  private intentOf({ clientSecret }: PageParams): Promise<Intent> {
    return this.ledger.read((reader) => intentBySecret(reader, clientSecret));
  }
}

const paramsOf = (values: URLSearchParams): PageParams => ({
  clientSecret: values.get('client_secret') ?? '',
  returnUrl: values.get('return_url') ?? '',
});
