import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CataloguePrice,
  type Checkout,
  type checkoutRoutes,
  inMilliseconds,
  inSeconds,
  type PackPrice,
  type PlanPrice,
  type PurchaseKind,
  type RouteInput,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { BillingAccount } from '../billing-accounts/billing-account.js';
import { openSubscriptionOf } from '../billing-accounts/buyer.js';
import { AppConfig } from '../platform/config/app.config.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { Offers } from '../prices/offers.js';
import { isPlanChange, PurchaseRules, requireMayBuy } from '../prices/purchase-rules.js';
import { BillingClock } from '../providers/billing-clock.js';
import { CardProvider, PaymentProviders, WalletProvider } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { CardPaymentsService } from './card-payments.service.js';
import { CheckoutRepository, type CheckoutRow } from './checkout.repository.js';
import { PurchasesService } from './purchases.service.js';

type Order = RouteInput<typeof checkoutRoutes.createCheckout>['body'];

/** 128 random bits. Hexadecimal: the suffix must not contain a dash. */
const SUFFIX_BYTES = 16;

/** The photo link in the mail is valid as long (decisions, section 8). */
const RECEIPT_EMAIL_RETENTION = `${inSeconds.days(30)} seconds`;

/** The longest of a provider's pages: a checkout session of Stripe, by default. */
const PAYMENT_PAGE_LIFETIME_MS = inMilliseconds.hours(24);

@Injectable()
export class CheckoutsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: AccountRepository,
    private readonly checkouts: CheckoutRepository,
    private readonly rules: PurchaseRules,
    private readonly offers: Offers,
    private readonly purchases: PurchasesService,
    private readonly cardPayments: CardPaymentsService,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly providers: PaymentProviders,
    private readonly prices: ProviderPrices,
    private readonly clock: BillingClock,
    private readonly sessions: SessionService,
    private readonly app: AppConfig,
  ) {}

  /** @throws AppError of `mayBuy`, or for a task that can't be paid for */
  async create(caller: Caller, order: Order): Promise<Checkout> {
    const account = await this.accounts.load(caller.userId);
    const now = this.clock.now();
    const price = this.offers.find(order.priceId);
    const introPrice = order.introPriceId ? this.offers.find(order.introPriceId) : null;
    const { kind } = requireMayBuy(account, caller.isGuest, now, {
      price,
      introPrice,
      flags: await this.rules.flagsFor(caller.userId, order.version),
      isForTask: Boolean(order.clientTaskId),
      trial: order.trial,
      provider: order.provider,
      forfeitCredits: order.unlockedExports ?? 0,
    });
    requireIntent(kind, order.upgrade);
    const customId = this.providers.of(order.provider).needsApproval ? newCustomId(caller) : null;
    const row = rowOf(caller, { order, kind, price, introPrice, account, now, customId });
    if (price.kind === 'intro') throw new AppError('prices.not_for_sale');
    const returnUrl = order.returnPath ? `${this.app.publicUrl}${order.returnPath}` : null;
    return price.kind === 'pack'
      ? this.payOnce(caller, row, price, returnUrl)
      : this.subscribe(caller, row, price, order.priceId, returnUrl);
  }

  /** Whether the user has begun a payment that may still return from its page. */
  async hasRecent(userId: string): Promise<boolean> {
    const now = this.clock.now();
    return this.checkouts.existsSince(userId, new Date(now.getTime() - PAYMENT_PAGE_LIFETIME_MS));
  }

  /** Addresses that guests entered, and those that the wallet tells. */
  async purgeReceiptEmails(): Promise<void> {
    await this.checkouts.purgeReceiptEmails(RECEIPT_EMAIL_RETENTION);
    await this.accounts.purgePayerEmails(RECEIPT_EMAIL_RETENTION);
  }

  private async payOnce(
    caller: Caller,
    row: CheckoutRow,
    price: PackPrice,
    returnUrl: string | null,
  ): Promise<Checkout> {
    const order = { clientTaskId: row.taskId, unlockedExports: row.unlockedExports, version: row.version };
    if (this.providers.of(row.provider).needsApproval) {
      await this.purchases.requirePayable(caller, price, order);
      return this.approve(caller, row, price, null, returnUrl);
    }
    const cardOrder = { ...order, priceId: this.prices.idOf(price.id) };
    if (returnUrl !== null) {
      const url = await this.cardPayments.createPaymentPage(caller, cardOrder, returnUrl);
      await this.save(caller, row);
      return { kind: 'redirect', url };
    }
    const { clientSecret } = await this.cardPayments.createPaymentIntent(caller, cardOrder);
    await this.save(caller, row);
    return { kind: 'elements', clientSecret, publishableKey: this.cards.publishableKey() };
  }

  private async subscribe(
    caller: Caller,
    row: CheckoutRow,
    price: PlanPrice,
    priceId: string,
    returnUrl: string | null,
  ): Promise<Checkout> {
    if (this.providers.of(row.provider).needsApproval) {
      const { withTrial, withoutTrial } = this.prices.walletPlansOf(price.id);
      const planId = row.trial ? withTrial : withoutTrial;
      if (!planId) throw new AppError('prices.not_for_sale');
      return this.approve(caller, row, price, planId, returnUrl);
    }
    // Charged to the running subscription's card: no payment form.
    if (isPlanChange(row.kind)) {
      const query = new URLSearchParams({ priceId });
      return { kind: 'redirect', url: `${this.app.publicUrl}/upgrade/confirm?${query}` };
    }
    if (returnUrl !== null) {
      const url = await this.cardPayments.createSetupPage(caller, returnUrl);
      await this.save(caller, row);
      return { kind: 'redirect', url };
    }
    const { clientSecret } = await this.cardPayments.createSetupIntent(caller);
    await this.save(caller, row);
    return { kind: 'elements', clientSecret, publishableKey: this.cards.publishableKey() };
  }

  private async approve(
    caller: Caller,
    row: CheckoutRow,
    { amountCents, currency }: PackPrice | PlanPrice,
    planId: string | null,
    returnUrl: string | null,
  ): Promise<Checkout> {
    const customId = customIdOf(row);
    await this.save(caller, row);
    if (returnUrl === null) return { kind: 'paypal', planId, customId };
    const approval = { planId, amountCents, currency, customId, returnUrl, key: `approval:${row.id}` };
    return { kind: 'redirect', url: await this.wallet.approvalPage(approval) };
  }

  /** Holds the session: a concurrent login then moves the row. */
  private save(caller: Caller, row: CheckoutRow): Promise<void> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, caller.userId);
      await this.sessions.hold(manager, caller);
      await this.checkouts.insert(manager, row);
    });
  }
}

/** A running subscription is replaced only on request. */
function requireIntent(kind: PurchaseKind, isUpgradeRequested: boolean): void {
  if (isPlanChange(kind) === isUpgradeRequested) return;
  throw new AppError(isUpgradeRequested ? 'subscriptions.not_upgradable' : 'subscriptions.exists');
}

interface Draft {
  readonly order: Order;
  readonly kind: PurchaseKind;
  readonly price: CataloguePrice;
  readonly introPrice: CataloguePrice | null;
  readonly account: BillingAccount;
  readonly now: Date;
  readonly customId: string | null;
}

const newCustomId = ({ userId }: Caller): string => `${userId}-${randomBytes(SUFFIX_BYTES).toString('hex')}`;

function rowOf(caller: Caller, { order, kind, price, introPrice, account, now, customId }: Draft): CheckoutRow {
  const isForSubscription = kind === 'retry' || isPlanChange(kind);
  return {
    id: randomUUID(),
    userId: caller.userId,
    provider: order.provider,
    kind,
    priceId: price.id,
    introPriceId: introPrice?.id ?? null,
    trial: order.trial,
    taskId: order.clientTaskId ?? null,
    unlockedExports: order.unlockedExports ?? (price.kind === 'pack' ? price.exports : 0),
    version: order.version ?? null,
    subscriptionId: isForSubscription ? (openSubscriptionOf(account.subscriptions, now)?.id ?? null) : null,
    customId,
    receiptEmail: caller.isGuest ? (order.receiptEmail ?? null) : null,
    createdAt: now,
  };
}

function customIdOf({ customId }: CheckoutRow): string {
  if (customId === null) throw new Error('a checkout by wallet without a custom_id');
  return customId;
}
