import type { ErrorCode } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import type { ApprovalRefusal } from '../billing-mail/billing-mailer.js';
import { CheckoutRepository, type CheckoutRow } from '../payments/checkout.repository.js';
import type { PurchaseOwner } from '../payments/purchases.service.js';
import { WalletPaymentsService } from '../payments/wallet-payments.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { isPlanChange } from '../prices/offers.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { type PaymentSnapshot, type SubscriptionSnapshot, WalletProvider } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { UpgradesService } from '../subscriptions/upgrades.service.js';
import { WalletSubscriptionsService } from '../subscriptions/wallet-subscriptions.service.js';
import { UserRepository } from '../users/user.repository.js';

/** A login has moved the checkout since it was read. */
class OwnerChanged extends Error {
  override readonly name = 'OwnerChanged';
}

/**
 * Fulfills wallet approvals by the terms of their checkout, even if the payer doesn't return. Approvals that the rules
 * no longer allow are ended and refunded. The country was checked at checkout.
 */
@Injectable()
export class WalletFulfillment {
  private readonly logger = new Logger(WalletFulfillment.name);

  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly users: UserRepository,
    private readonly refused: RefusedApprovals,
    private readonly subscriptions: WalletSubscriptionsService,
    private readonly upgrades: UpgradesService,
    private readonly payments: WalletPaymentsService,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
  ) {}

  async subscription(checkout: CheckoutRow, snapshot: SubscriptionSnapshot): Promise<void> {
    const refusal = { priceId: checkout.priceId, refundCents: snapshot.paidCents, payerEmail: null };
    const isFulfilled = await this.attempt(checkout, snapshot.id, refusal, (owner) =>
      this.fulfill(owner, checkout, snapshot),
    );
    if (!isFulfilled) await this.refused.endAndRefund(snapshot);
  }

  private async fulfill(owner: PurchaseOwner, checkout: CheckoutRow, snapshot: SubscriptionSnapshot): Promise<unknown> {
    const isAgreed =
      this.prices.priceOf(snapshot.priceId) === checkout.priceId && (snapshot.trialEnd !== null) === checkout.trial;
    if (!isAgreed) throw new AppError('payments.mismatch');
    if (isPlanChange(checkout.kind)) return this.upgrades.fulfill(owner, snapshot);
    const { unlockedExports, version } = checkout;
    return this.subscriptions.fulfill(owner, snapshot, { unlockedExports, version });
  }

  /** A refused order isn't captured and expires in the wallet. */
  async payment(providerId: string): Promise<void> {
    const snapshot = await this.wallet.readPayment(providerId);
    if (snapshot?.status !== 'approved') return;
    const checkout = await this.checkouts.find(snapshot.reference);
    if (checkout) await this.capture(checkout, snapshot);
  }

  private async capture(checkout: CheckoutRow, snapshot: PaymentSnapshot): Promise<void> {
    const refusal = { priceId: checkout.priceId, refundCents: 0, payerEmail: snapshot.payerEmail };
    await this.attempt(checkout, snapshot.id, refusal, (owner) => this.payments.fulfill(owner, checkout, snapshot));
  }

  /** @returns false when the approval was refused */
  private async attempt(
    checkout: CheckoutRow,
    providerId: string,
    refusal: ApprovalRefusal,
    work: (owner: PurchaseOwner) => Promise<unknown>,
  ): Promise<boolean> {
    const owner = await this.ownerOf(checkout);
    // Erased with its account.
    if (!owner) return !(await this.refused.refuse(checkout.userId, providerId, 'subscriptions.not_found', refusal));
    try {
      await work(owner);
      this.logger.log({ checkoutId: checkout.id, providerId }, 'approval fulfilled');
      return true;
    } catch (error) {
      if (error instanceof OwnerChanged) return this.attempt(checkout, providerId, refusal, work);
      const reason = refusalOf(error);
      if (!reason) throw error;
      const isRefused = await this.refused.refuse(owner.userId, providerId, reason, refusal);
      if (isRefused) this.logger.warn({ checkoutId: checkout.id, providerId, reason }, 'approval refused');
      return !isRefused;
    }
  }

  private async ownerOf({ id }: CheckoutRow): Promise<PurchaseOwner | null> {
    const checkout = await this.checkouts.findById(id);
    const user = checkout && (await this.users.find(checkout.userId));
    if (!user) return null;
    return {
      userId: user.id,
      isGuest: user.isGuest,
      hold: async (manager) => {
        if (!(await this.checkouts.isOwnedBy(manager, id, user.id))) throw new OwnerChanged();
      },
    };
  }
}

/** Null for errors worth a retry. */
const refusalOf = (error: unknown): ErrorCode | null =>
  error instanceof AppError && error.status < 500 ? error.code : null;
