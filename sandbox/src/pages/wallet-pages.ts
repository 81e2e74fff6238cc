import { CURRENCIES } from '@clearframe/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { Rejection } from '../core/rejection.js';
import type { ReturnUrls } from '../core/return-urls.js';
import type { Wallet } from '../paypal/wallet.js';
import { formOf, queryOf, sendPage } from './page-scope.js';
import { AUTOMATIC_PAYMENTS_PAGE, type ChargeOffer, chargePage, type PlanOffer, planPage } from './wallet-page.js';

const SUBSCRIPTION = '/api/sandbox/pages/wallet/subscription';
const CHARGE = '/api/sandbox/pages/wallet/charge';
const AUTOMATIC_PAYMENTS = '/api/sandbox/pages/wallet/automatic-payments';

const CustomId = z.string().min(1).max(127);
const Plan = z.object({ plan_id: z.string(), custom_id: CustomId, return_url: z.string() });
const Payment = z.object({
  amount_cents: z.coerce.number().int().positive(),
  currency: z.enum(CURRENCIES),
  custom_id: CustomId,
  return_url: z.string(),
});

/** Where payers approve subscriptions and payments, without scripts. */
export class WalletPages {
  constructor(
    private readonly wallet: Wallet,
    private readonly returns: ReturnUrls,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(AUTOMATIC_PAYMENTS, async (_request, reply) => sendPage(reply, AUTOMATIC_PAYMENTS_PAGE));
    scope.get(SUBSCRIPTION, async (request, reply) => sendPage(reply, pageOf(this.planIn(queryOf(request)))));
    scope.post(SUBSCRIPTION, async (request, reply) => {
      const form = formOf(request);
      const offer = this.planIn(form);
      pageOf(offer);
      return this.redirectBack(reply, offer.returnUrl, form, async () => ({
        subscription_id: await this.wallet.subscribe(offer.planId, offer.customId),
      }));
    });
    scope.get(CHARGE, async (request, reply) => sendPage(reply, chargePage(this.chargeIn(queryOf(request)))));
    scope.post(CHARGE, async (request, reply) => {
      const form = formOf(request);
      const offer = this.chargeIn(form);
      return this.redirectBack(reply, offer.returnUrl, form, async () => ({
        charge_id: await this.wallet.pay(offer),
      }));
    });
  }

  private async redirectBack(
    reply: FastifyReply,
    returnUrl: string,
    form: URLSearchParams,
    approve: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<FastifyReply> {
    const result =
      form.get('action') === 'approve'
        ? { redirect_status: 'succeeded', ...(await approve()) }
        : { redirect_status: 'canceled' };
    return reply.redirect(this.returns.with(returnUrl, result), 303);
  }

  private planIn(values: URLSearchParams): PlanOffer {
    const { plan_id: planId, custom_id: customId, return_url: returnUrl } = read(Plan, values);
    this.returns.check(returnUrl);
    return { planId, customId, returnUrl };
  }

  private chargeIn(values: URLSearchParams): ChargeOffer {
    const { amount_cents: amountCents, currency, custom_id: customId, return_url: returnUrl } = read(Payment, values);
    this.returns.check(returnUrl);
    return { amountCents, currency, customId, returnUrl };
  }
}

function read<Schema extends z.ZodType>(schema: Schema, values: URLSearchParams): z.infer<Schema> {
  const result = schema.safeParse(Object.fromEntries(values));
  if (!result.success) throw new Rejection('request.invalid');
  return result.data;
}

function pageOf(offer: PlanOffer): string {
  const page = planPage(offer);
  if (page === null) throw new Rejection('prices.not_found');
  return page;
}
