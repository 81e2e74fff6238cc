import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../../../../platform/config/app.config.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import type { Intent } from '../core/ledger.entities.js';
import { SandboxLedger } from '../core/ledger.js';
import { type Confirmation, SandboxIntents } from '../payments/intents.js';
import { ReturnUrls } from '../payments/return-urls.js';
import { authenticatePage, checkoutPage, outcomePage, type PageParams } from './checkout-page.js';
import { formOf, pageScope, queryOf, sendPage } from './page-scope.js';
import { SandboxPortal } from './portal.js';
import { SandboxWalletPages } from './wallet-pages.js';

/** Errors before an authorization. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'sandbox.real_card_refused': 'This may be a real card. It was not stored. Please use a test card.',
  'request.invalid': 'That is not the number of a test card.',
};

/** Hosted pages of the provider, without scripts. */
@Injectable()
export class SandboxPages {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly intents: SandboxIntents,
    private readonly returns: ReturnUrls,
    private readonly wallet: SandboxWalletPages,
    private readonly portal: SandboxPortal,
    private readonly app: AppConfig,
  ) {}

  mount(fastify: FastifyInstance): Promise<void> {
    return pageScope(fastify, this.app.publicUrl, (scope) => {
      scope.get('/api/sandbox/pages/checkout', (request, reply) => this.showCheckout(request, reply));
      scope.post('/api/sandbox/pages/checkout', (request, reply) => this.checkOut(request, reply));
      scope.get('/api/sandbox/pages/authenticate', (request, reply) => this.showAuthentication(request, reply));
      scope.post('/api/sandbox/pages/authenticate', (request, reply) => this.authenticate(request, reply));
      this.wallet.mount(scope);
      this.portal.mount(scope);
    });
  }

  private async showCheckout(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const params = this.paramsOf(queryOf(request));
    this.returns.check(params.returnUrl);
    const intent = await this.intentOf(params);
    // The payer went back to a completed page.
    if (intent.status === 'succeeded' && intent.paymentMethodId) {
      return this.redirectBack(reply, intent, params, { status: 'succeeded', paymentMethodId: intent.paymentMethodId });
    }
    return sendPage(reply, checkoutPage(intent, params, null));
  }

  private async checkOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const params = this.paramsOf(form);
    this.returns.check(params.returnUrl);
    const intent = await this.intentOf(params);
    if (form.get('action') === 'cancel') {
      return reply.redirect(this.returns.with(params.returnUrl, { redirect_status: 'canceled' }), 303);
    }
    // The field and the buttons share a name; the pressed button comes after the typed value.
    const number = form.getAll('card_number').filter(Boolean).at(-1) ?? '';
    try {
      return this.redirectBack(reply, intent, params, await this.intents.confirm(intent.kind, intent.id, number));
    } catch (error) {
      const problem = error instanceof AppError ? PROBLEMS[error.code] : undefined;
      if (!(error instanceof AppError) || problem === undefined) throw error;
      return sendPage(reply, checkoutPage(intent, params, problem), error.status);
    }
  }

  private async showAuthentication(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const params = this.paramsOf(queryOf(request));
    if (params.returnUrl) this.returns.check(params.returnUrl);
    return sendPage(reply, authenticatePage(await this.intentOf(params), params));
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = formOf(request);
    const params = this.paramsOf(form);
    if (params.returnUrl) this.returns.check(params.returnUrl);
    const intent = await this.intentOf(params);
    const confirmation = await this.intents.authenticate(params.clientSecret, form.get('action') === 'approve');
    if (!params.returnUrl) return sendPage(reply, outcomePage(confirmation.status === 'succeeded'));
    return this.redirectBack(reply, intent, params, confirmation);
  }

  /** To the product, or to the card's bank. */
  private redirectBack(
    reply: FastifyReply,
    intent: Intent,
    params: PageParams,
    confirmation: Confirmation,
  ): FastifyReply {
    const { clientSecret, returnUrl } = params;
    if (confirmation.status === 'requires_action') {
      const query = { client_secret: clientSecret, return_url: returnUrl };
      return reply.redirect(this.returns.pageOf('authenticate', query), 303);
    }
    const kind = `${intent.kind}_intent`;
    const result = {
      redirect_status: confirmation.status,
      [kind]: intent.id,
      [`${kind}_client_secret`]: clientSecret,
      ...(confirmation.status === 'failed' ? { error_code: confirmation.errorCode } : {}),
      ...(confirmation.status === 'succeeded' && intent.kind === 'setup'
        ? { payment_method_id: confirmation.paymentMethodId }
        : {}),
    };
    return reply.redirect(this.returns.with(returnUrl, result), 303);
  }

  private paramsOf(values: URLSearchParams): PageParams {
    return { clientSecret: values.get('client_secret') ?? '', returnUrl: values.get('return_url') ?? '' };
  }

  private intentOf({ clientSecret }: PageParams): Promise<Intent> {
    return this.ledger.read((manager) => this.intents.bySecret(manager, clientSecret));
  }
}
