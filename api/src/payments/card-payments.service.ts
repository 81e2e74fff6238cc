import { randomUUID } from 'node:crypto';
import {
  type Checkout,
  type CreditBalance,
  inMilliseconds,
  type PackPrice,
  type PlanPrice,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { Payment } from '../billing-accounts/billing-account.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { sha256Hex } from '../platform/config/seal.js';
import { AppError } from '../platform/errors/app-error.js';
import { Offers, requireLogin } from '../prices/offers.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { CardProvider, ProviderUnavailable } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { UserRepository } from '../users/user.repository.js';
import type { CheckoutRow } from './checkout.repository.js';
import { creditBalanceOf, newPayment, ownerOf, type PackOrder, PurchasesService } from './purchases.service.js';

interface CardOrder extends PackOrder {
  readonly priceId: string;
}

type PaymentWay = 'form' | 'page';

interface StoredOrder {
  readonly payment: Payment;
  readonly customerId: string;
}

/** Stripe forgets idempotency keys after 24 hours: repeated later, a request creates another intent. */
const REUSABLE_MS = inMilliseconds.hours(23);
/** Two concurrent tabs need two. */
const MAX_ATTEMPTS = 3;

/** Payments by card: in a form of the browser (an intent), or on the provider's page. */
@Injectable()
export class CardPaymentsService {
  constructor(
    private readonly repository: AccountRepository,
    private readonly accounts: BillingAccounts,
    private readonly purchases: PurchasesService,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly users: UserRepository,
    private readonly cards: CardProvider,
    private readonly prices: ProviderPrices,
    private readonly sessions: SessionService,
  ) {}

  /** Opens a form of the browser, or with a return address the provider's page. */
  async open(
    caller: Caller,
    { taskId, unlockedExports, version }: CheckoutRow,
    price: PackPrice | PlanPrice,
    returnUrl: string | null,
  ): Promise<Checkout> {
    const order = { clientTaskId: taskId, unlockedExports, version };
    if (returnUrl !== null) {
      const isPack = price.kind === 'pack';
      const url = isPack
        ? await this.createPaymentPage(caller, price, order, returnUrl)
        : await this.createSetupPage(caller, returnUrl);
      return { kind: 'redirect', url };
    }
    const { clientSecret } =
      price.kind === 'pack' ? await this.openIntent(caller, price, order) : await this.createSetupIntent(caller);
    return { kind: 'elements', clientSecret, publishableKey: this.cards.publishableKey() };
  }

  async ensureCustomer(userId: string): Promise<string> {
    const existing = await this.repository.findCustomerId(userId);
    if (existing) return existing;
    const user = await this.users.find(userId);
    const customerId = await this.cards.ensureCustomer({ id: userId, email: user?.email ?? null });
    await this.repository.insertCustomer(userId, customerId);
    return customerId;
  }

  async createSetupIntent(caller: Caller): Promise<{ clientSecret: string }> {
    requireLogin(caller);
    const customerId = await this.ensureCustomer(caller.userId);
    return this.cards.createSetupIntent(customerId, randomUUID());
  }

  private async createSetupPage(caller: Caller, returnUrl: string): Promise<string> {
    requireLogin(caller);
    const customerId = await this.ensureCustomer(caller.userId);
    return this.cards.createSetupPage({ customerId, returnUrl, key: randomUUID() });
  }

  createPaymentIntent(caller: Caller, order: CardOrder): Promise<{ clientSecret: string; paymentId: string }> {
    return this.openIntent(caller, this.offers.pack(order.priceId), order);
  }

  /** Returns the same intent while it is unpaid, so that two clicks can't pay twice. */
  private async openIntent(
    caller: Caller,
    price: PackPrice,
    order: PackOrder,
  ): Promise<{ clientSecret: string; paymentId: string }> {
    const intent = await this.attempt(caller, price, order, 'form', ({ payment, customerId }) =>
      this.cards.createPaymentIntent({
        customerId,
        amountCents: payment.amountCents,
        currency: payment.currency,
        reference: payment.id,
        key: `intent:${payment.id}`,
      }),
    );
    return { clientSecret: intent.clientSecret, paymentId: intent.id };
  }

  /** Closes earlier pages for the same order: only one can be paid. @returns the address of the new one */
  private async createPaymentPage(
    caller: Caller,
    price: PackPrice,
    order: PackOrder,
    returnUrl: string,
  ): Promise<string> {
    const page = await this.attempt(caller, price, order, 'page', ({ payment, customerId }) =>
      this.cards.createPaymentPage({
        customerId,
        priceId: this.prices.idOf(payment.priceId),
        reference: payment.id,
        returnUrl,
        // Two tabs may return to different addresses, and a key is bound to its parameters.
        key: `page:${payment.id}:${sha256Hex(returnUrl)}`,
      }),
    );
    return page.url;
  }

  /** @throws AppError `payments.not_found`, `payments.not_paid`, `payments.mismatch`, `payments.duplicate` */
  async confirm(caller: Caller, providerId: string): Promise<CreditBalance> {
    const row = await this.repository.findPayment({ provider: this.cards.name, providerId, userId: caller.userId });
    if (!row) throw new AppError('payments.not_found');
    return creditBalanceOf(await this.sync.payment(row.id));
  }

  /** Repeated when a concurrent attempt at the same order has been stored first. */
  private async attempt<Opened extends { readonly id: string }>(
    caller: Caller,
    price: PackPrice,
    order: PackOrder,
    way: PaymentWay,
    create: (stored: StoredOrder) => Promise<Opened>,
  ): Promise<Opened> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const stored = await this.order(caller, price, order, way);
      const opened = await create(stored);
      if (await this.announce(stored.payment.id, opened.id)) return opened;
    }
    throw new ProviderUnavailable(`other attempts were stored first, ${MAX_ATTEMPTS} times`);
  }

  private async order(caller: Caller, price: PackPrice, order: PackOrder, way: PaymentWay): Promise<StoredOrder> {
    await this.purchases.requirePack(caller, price, order);
    const customerId = await this.ensureCustomer(caller.userId);
    const draft = newPayment(caller, price, order.clientTaskId, { provider: this.cards.name, customerId });
    await this.settleUnpaid(draft, way);
    const payment = await this.purchases.order(ownerOf(caller, this.sessions), draft, order.clientTaskId);
    return { payment, customerId: payment.customerId ?? customerId };
  }

  /** Earlier attempts may have been paid without an event; others must not be paid any more. */
  private async settleUnpaid({ userId, priceId, customerId, taskId }: Payment, way: PaymentWay): Promise<void> {
    if (!userId || !customerId) return;
    // A photo is paid for once, in either currency.
    const same = taskId ? { taskId } : { taskId: IsNull(), priceId };
    const unpaid = { ...same, userId, customerId, status: 'pending' as const };
    for (const { id, providerId, priceId: ordered, createdAt } of await this.repository.findPayments(unpaid)) {
      const synced = await this.sync.payment(id);
      const isForm = providerId !== null && !this.cards.isPaymentPage(providerId);
      const isRecent = Date.now() - createdAt.getTime() < REUSABLE_MS;
      const isReused = way === 'form' && isForm && isRecent && ordered === priceId;
      if (isReused || providerId === null || synced?.result.status !== 'pending') continue;
      await this.cards.cancelPayment(providerId, `cancel:${id}`);
      await this.sync.payment(id);
    }
  }

  /**
   * A concurrently opened form and page share the stored order, which names the first: the other can't be paid.
   * @returns whether it is the first
   */
  private async announce(paymentId: string, providerId: string): Promise<boolean> {
    const changed = await this.accounts.changeOwningAccount('payments', paymentId, () => ({
      events: [{ kind: 'payment_announced', paymentId, providerId }],
      result: null,
    }));
    const stored = changed?.account.payments.find(({ id }) => id === paymentId);
    if (!stored || stored.providerId === providerId) return true;
    await this.cards.cancelPayment(providerId, `second:${providerId}`);
    return false;
  }
}
