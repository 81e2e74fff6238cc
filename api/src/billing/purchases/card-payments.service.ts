import { randomUUID } from 'node:crypto';
import type { CreditBalance } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import { SessionService } from '../../identity/sessions/session.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AccountRepository } from '../account/account.repository.js';
import { BillingAccounts } from '../account/billing-accounts.js';
import type { Payment } from '../account/state/billing-account.js';
import { Offers, requireLogin } from '../catalogue/offers.js';
import { CardProvider } from '../providers/port/card-provider.js';
import { ProviderPrices } from '../providers/port/provider-prices.js';
import { CustomersService } from '../sync/customers.service.js';
import { ProviderSync } from '../sync/provider-sync.js';
import { newPayment } from './purchase-order.js';
import { ownerOf } from './purchase-owner.js';
import { creditBalanceOf, type PackOrder, PurchasesService } from './purchases.service.js';

interface CardOrder extends PackOrder {
  readonly priceId: string;
}

type PaymentWay = 'form' | 'page';

/** Payments by card: in a form of the browser (an intent), or on the provider's page. */
@Injectable()
export class CardPaymentsService {
  constructor(
    private readonly repository: AccountRepository,
    private readonly accounts: BillingAccounts,
    private readonly purchases: PurchasesService,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly customers: CustomersService,
    private readonly cards: CardProvider,
    private readonly prices: ProviderPrices,
    private readonly sessions: SessionService,
  ) {}

  async createSetupIntent(caller: Caller): Promise<{ clientSecret: string }> {
    requireLogin(caller);
    const customerId = await this.customers.ensure(caller.userId);
    return this.cards.createSetupIntent(customerId, randomUUID());
  }

  async createSetupPage(caller: Caller, returnUrl: string): Promise<string> {
    requireLogin(caller);
    const customerId = await this.customers.ensure(caller.userId);
    return this.cards.createSetupPage({ customerId, returnUrl, key: randomUUID() });
  }

  /** Returns the same intent while it is unpaid, so that two clicks can't pay twice. */
  async createPaymentIntent(caller: Caller, order: CardOrder): Promise<{ clientSecret: string; paymentId: string }> {
    const { payment, customerId } = await this.order(caller, order, 'form');
    const intent = await this.cards.createPaymentIntent({
      customerId,
      amountCents: payment.amountCents,
      currency: payment.currency,
      reference: payment.id,
      key: `intent:${payment.id}`,
    });
    if (!(await this.announce(payment.id, intent.id))) return this.createPaymentIntent(caller, order);
    return { clientSecret: intent.clientSecret, paymentId: intent.id };
  }

  /** Closes earlier pages for the same order, so that only one can be paid. @returns the address of the new one */
  async createPaymentPage(caller: Caller, order: CardOrder, returnUrl: string): Promise<string> {
    const { payment, customerId } = await this.order(caller, order, 'page');
    const page = await this.cards.createPaymentPage({
      customerId,
      priceId: this.prices.idOf(payment.priceId),
      reference: payment.id,
      returnUrl,
      key: `page:${payment.id}`,
    });
    if (!(await this.announce(payment.id, page.id))) return this.createPaymentPage(caller, order, returnUrl);
    return page.url;
  }

  /** @throws AppError `payments.not_found`, `payments.not_paid`, `payments.mismatch`, `payments.duplicate` */
  async confirm(caller: Caller, providerId: string): Promise<CreditBalance> {
    const row = await this.repository.findPayment({ provider: this.cards.name, providerId, userId: caller.userId });
    if (!row) throw new AppError('payments.not_found');
    return creditBalanceOf(await this.sync.payment(row.id));
  }

  private async order(
    caller: Caller,
    order: CardOrder,
    way: PaymentWay,
  ): Promise<{ readonly payment: Payment; readonly customerId: string }> {
    const price = this.offers.pack(order.priceId);
    await this.purchases.requirePack(caller, price, order);
    const customerId = await this.customers.ensure(caller.userId);
    const draft = newPayment(caller, price, order.clientTaskId, { provider: this.cards.name, customerId });
    await this.settleUnpaid(draft, way);
    const payment = await this.purchases.order(ownerOf(caller, this.sessions), draft, order.clientTaskId);
    return { payment, customerId: payment.customerId ?? customerId };
  }

  /** Earlier attempts at the same order may have been paid without an event; others must not be paid any more. */
  private async settleUnpaid({ userId, priceId, customerId, taskId }: Payment, way: PaymentWay): Promise<void> {
    if (!userId || !customerId) return;
    // A photo is paid for once, in either currency.
    const same = taskId ? { taskId } : { taskId: IsNull(), priceId };
    const unpaid = { ...same, userId, customerId, status: 'pending' as const };
    for (const { id, providerId, priceId: ordered } of await this.repository.findPayments(unpaid)) {
      const synced = await this.sync.payment(id);
      const isForm = providerId !== null && !this.cards.isPaymentPage(providerId);
      const isReused = way === 'form' && isForm && ordered === priceId;
      if (isReused || providerId === null || synced?.result.status !== 'pending') continue;
      await this.cards.cancelPayment(providerId, `cancel:${id}`);
      await this.sync.payment(id);
    }
  }

  /**
   * A form and a page that are opened concurrently share the stored order, which names the first: the other can't be paid.
   * @returns whether it is the first
   */
  private async announce(paymentId: string, providerId: string): Promise<boolean> {
    const changed = await this.accounts.changeOwningAccount('payments', paymentId, () => ({
      events: [{ kind: 'payment_announced', paymentId, providerId }],
      result: null,
    }));
    const stored = changed?.account.payments.find(({ id }) => id === paymentId);
    if (!stored || stored.providerId === providerId) return true;
    await this.cards.cancelPayment(providerId, `second:${paymentId}`);
    return false;
  }
}
