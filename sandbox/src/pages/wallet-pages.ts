import type { FastifyInstance, FastifyReply } from 'fastify';
import { Rejection } from '../core/problem.js';
import type { ReturnUrls } from '../core/return-urls.js';
import type { ApprovalUrls } from '../paypal/model/objects.js';
import type { Wallet } from '../paypal/wallet.js';
import { formOf, queryOf, sendPage } from './page-scope.js';
import { AUTOMATIC_PAYMENTS_PAGE, orderPage, subscriptionPage } from './wallet-page.js';

const SUBSCRIPTION = '/api/sandbox/pages/wallet/subscription';
const CHARGE = '/api/sandbox/pages/wallet/charge';
const AUTOMATIC_PAYMENTS = '/api/sandbox/pages/wallet/automatic-payments';

export class WalletPages {
  constructor(
    private readonly wallet: Wallet,
    private readonly returns: ReturnUrls,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(AUTOMATIC_PAYMENTS, async (_request, reply) => sendPage(reply, AUTOMATIC_PAYMENTS_PAGE));
    scope.get(SUBSCRIPTION, async (request, reply) => {
      const subscription = await this.wallet.find('subscription', queryOf(request).get('id') ?? '');
      return sendPage(reply, subscriptionPage(subscription));
    });
    scope.post(SUBSCRIPTION, async (request, reply) => {
      const form = formOf(request);
      const { id, _approval: approval } = await this.wallet.find('subscription', form.get('id') ?? '');
      const result = { subscription_id: id, ba_token: id, token: id };
      return this.redirectBack(reply, approval, form, result, () => this.wallet.approve('subscription', id));
    });
    scope.get(CHARGE, async (request, reply) =>
      sendPage(reply, orderPage(await this.wallet.find('order', queryOf(request).get('token') ?? ''))),
    );
    scope.post(CHARGE, async (request, reply) => {
      const form = formOf(request);
      const { id, _approval: approval } = await this.wallet.find('order', form.get('token') ?? '');
      return this.redirectBack(reply, approval, form, { token: id }, () => this.wallet.approve('order', id));
    });
  }

  private async redirectBack(
    reply: FastifyReply,
    approval: ApprovalUrls | null,
    form: URLSearchParams,
    result: Readonly<Record<string, string>>,
    approve: () => Promise<void>,
  ): Promise<FastifyReply> {
    if (!approval) throw new Rejection('payments.not_found');
    const isApproved = form.get('action') === 'approve';
    const address = isApproved ? approval.returnUrl : approval.cancelUrl;
    this.returns.check(address);
    if (isApproved) await approve();
    return reply.redirect(this.returns.with(address, isApproved ? result : {}), 303);
  }
}
