import { randomBytes, randomUUID } from 'node:crypto';
import type { CataloguePrice, Checkout, checkoutRoutes, PurchaseKind, RouteInput } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { BillingAccount } from '../billing-accounts/billing-account.js';
import { openSubscriptionOf } from '../billing-accounts/entitlements.js';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { isPlanChange, Offers, requireMayBuy } from '../prices/offers.js';
import { BillingClock } from '../providers/billing-clock.js';
import { PaymentProviders } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { CardPaymentsService } from './card-payments.service.js';
import { CheckoutRepository, type CheckoutRow } from './checkout.repository.js';
import { WalletPaymentsService } from './wallet-payments.service.js';

type Order = RouteInput<typeof checkoutRoutes.createCheckout>['body'];

/** 128 random bits. Hexadecimal: the suffix must not contain a dash. */
const SUFFIX_BYTES = 16;

@Injectable()
export class CheckoutsService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly checkouts: CheckoutRepository,
    private readonly offers: Offers,
    private readonly cards: CardPaymentsService,
    private readonly wallet: WalletPaymentsService,
    private readonly providers: PaymentProviders,
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
      flags: await this.offers.flagsFor(caller.userId, order.version),
      isForTask: Boolean(order.clientTaskId),
      trial: order.trial,
      provider: order.provider,
      forfeitCredits: order.unlockedExports ?? 0,
    });
    requireIntent(kind, order.upgrade);
    const isByWallet = this.providers.of(order.provider).needsApproval;
    const customId = isByWallet ? newCustomId(caller) : null;
    const row = rowOf(caller, { order, kind, price, introPrice, account, now, customId });
    if (price.kind === 'intro') throw new AppError('prices.not_for_sale');
    // Charged to the running subscription's card: no payment form.
    if (isPlanChange(kind) && !isByWallet) {
      const query = new URLSearchParams({ priceId: order.priceId });
      return { kind: 'redirect', url: `${this.app.publicUrl}/upgrade/confirm?${query}` };
    }
    const returnUrl = order.returnPath ? `${this.app.publicUrl}${order.returnPath}` : null;
    const checkout = isByWallet
      ? await this.wallet.open(caller, row, price, returnUrl)
      : await this.cards.open(caller, row, price, returnUrl);
    await this.checkouts.insert(row, (manager) => this.sessions.hold(manager, caller));
    return checkout;
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
