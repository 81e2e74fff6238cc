import type { ErrorCode } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import type { ApprovalRefusal } from '../mail/billing-mailer.js';
import {
  type PaymentSnapshot,
  ProviderPrices,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';
import type { CheckoutRow } from '../purchases/checkout.entity.js';
import { CheckoutRepository } from '../purchases/checkout.repository.js';
import type { PurchaseOwner } from '../purchases/purchase-owner.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import { SubscribingService } from '../subscriptions/subscribing.service.js';
import { RefusedApprovals } from '../sync/refused-approvals.js';
import { UpgradesService } from '../upgrades/upgrades.service.js';

/** A login has moved the checkout to another user since it was read. */
class OwnerChanged extends Error {
  override readonly name = 'OwnerChanged';
}

const CHANGES: readonly CheckoutRow['kind'][] = ['upgrade', 'change_period'];

/**
 * Takes on what was approved in the wallet, on the terms of its checkout, without waiting for the browser to come back.
 * What the rules no longer allow is ended and given back. The country was checked when the checkout was made.
 */
@Injectable()
export class WalletFulfillment {
  private readonly logger = new Logger(WalletFulfillment.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly checkouts: CheckoutRepository,
    private readonly refused: RefusedApprovals,
    private readonly subscribing: SubscribingService,
    private readonly upgrades: UpgradesService,
    private readonly purchases: PurchasesService,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
  ) {}

  /** Takes on a subscription that runs in the wallet, or refuses it. */
  async subscription(checkout: CheckoutRow, snapshot: SubscriptionSnapshot): Promise<void> {
    const refusal = { priceId: checkout.priceId, refundCents: snapshot.paidCents, payerEmail: null };
    const isTaken = await this.attempt(checkout, snapshot.id, refusal, (owner) =>
      this.fulfill(owner, checkout, snapshot),
    );
    if (!isTaken) await this.refused.endAndRefund(snapshot);
  }

  private async fulfill(owner: PurchaseOwner, checkout: CheckoutRow, snapshot: SubscriptionSnapshot): Promise<unknown> {
    const isAgreed =
      this.prices.priceOf(snapshot.priceId) === checkout.priceId && (snapshot.trialEnd !== null) === checkout.trial;
    if (!isAgreed) throw new AppError('payments.mismatch');
    if (CHANGES.includes(checkout.kind)) return this.upgrades.fulfill(owner, snapshot);
    const { unlockedExports, version } = checkout;
    return this.subscribing.fulfill(owner, snapshot, { unlockedExports, version });
  }

  /** Captures an approved order. A refused one is not captured, and expires in the wallet. */
  async payment(providerId: string): Promise<void> {
    const snapshot = await mapProviderErrors(this.wallet.readPayment(providerId));
    if (snapshot?.status !== 'approved') return;
    const checkout = await this.checkouts.find(snapshot.reference);
    if (checkout) await this.capture(checkout, snapshot);
  }

  private async capture(checkout: CheckoutRow, snapshot: PaymentSnapshot): Promise<void> {
    const refusal = { priceId: checkout.priceId, refundCents: 0, payerEmail: snapshot.payerEmail };
    await this.attempt(checkout, snapshot.id, refusal, (owner) => this.purchases.fulfill(owner, checkout, snapshot));
  }

  /** @returns false when the approval was refused */
  private async attempt(
    checkout: CheckoutRow,
    providerId: string,
    refusal: ApprovalRefusal,
    work: (owner: PurchaseOwner) => Promise<unknown>,
  ): Promise<boolean> {
    const owner = await this.ownerOf(checkout);
    // Its account is gone, and the checkout with it.
    if (!owner) return !(await this.refused.refuse(checkout.userId, providerId, 'subscriptions.not_found', refusal));
    try {
      await work(owner);
      this.logger.log({ checkoutId: checkout.id, providerId }, 'an approval was taken on');
      return true;
    } catch (error) {
      if (error instanceof OwnerChanged) return this.attempt(checkout, providerId, refusal, work);
      const reason = refusalOf(error);
      if (!reason) throw error;
      const isRefused = await this.refused.refuse(owner.userId, providerId, reason, refusal);
      if (isRefused) this.logger.warn({ checkoutId: checkout.id, providerId, reason }, 'an approval was refused');
      return !isRefused;
    }
  }

  private async ownerOf({ id }: CheckoutRow): Promise<PurchaseOwner | null> {
    const [row]: { user_id: string; is_guest: boolean }[] = await this.database.query(
      'SELECT c.user_id, u.is_guest FROM checkouts c JOIN users u ON u.id = c.user_id WHERE c.id = $1',
      [id],
    );
    if (!row) return null;
    const { user_id: userId, is_guest: isGuest } = row;
    return {
      userId,
      isGuest,
      hold: async (manager) => {
        const held: unknown[] = await manager.query('SELECT FROM checkouts WHERE id = $1 AND user_id = $2', [
          id,
          userId,
        ]);
        if (held.length === 0) throw new OwnerChanged();
      },
    };
  }
}

/** Why an approval can't be taken on; null for what another attempt may mend. */
const refusalOf = (error: unknown): ErrorCode | null =>
  error instanceof AppError && error.status < 500 ? error.code : null;
