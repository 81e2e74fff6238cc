import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PaymentRow, SubscriptionRow } from '../account/account.entities.js';
import { BillingAccounts } from '../account/billing-accounts.js';
import {
  CardProvider,
  type ProviderName,
  ProviderPrices,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';
import { CheckoutRow } from '../purchases/checkout.entity.js';
import { CheckoutRepository } from '../purchases/checkout.repository.js';
import { userIdInCustomId } from '../purchases/custom-id.js';
import { ProviderSync } from '../sync/provider-sync.js';
import { RefusedApprovals } from '../sync/refused-approvals.js';
import { WalletFulfillment } from './wallet-fulfillment.js';

/** How long a client that made no checkout may take from an approval in the wallet to bringing it here. */
const NO_CHECKOUT_GRACE_MS = inMilliseconds.minutes(1);

const isUuid = (text: string | null): text is string => text !== null && /^[0-9a-f-]{36}$/.test(text);

/** Finds out whose the thing is that a provider's event is about, and has it read. */
@Injectable()
export class ProviderEventProcessor {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly checkouts: CheckoutRepository,
    private readonly fulfillment: WalletFulfillment,
    private readonly refused: RefusedApprovals,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
  ) {}

  /** False when it is too early to say what to make of it; `waitedMs` is how long one has been at it. */
  async process(
    provider: ProviderName,
    kind: 'subscription' | 'payment',
    providerId: string,
    waitedMs: number,
  ): Promise<boolean> {
    if (kind === 'payment') await this.payment(provider, providerId);
    else return this.subscription(provider, providerId, waitedMs);
    return true;
  }

  private async payment(provider: ProviderName, providerId: string): Promise<void> {
    const row = await this.database.manager.findOneBy(PaymentRow, { provider, providerId });
    const paymentId = row?.id ?? (provider === 'stripe' ? await this.unanswered(providerId) : null);
    if (paymentId) await this.sync.payment(paymentId);
    else if (provider === 'paypal') await this.fulfillment.payment(providerId);
  }

  /** A payment whose creation we never heard the answer of: the provider calls it by our row. */
  private async unanswered(providerId: string): Promise<string | null> {
    const snapshot = await mapProviderErrors(this.cards.readPayment(providerId));
    const paymentId = snapshot?.reference ?? null;
    if (!isUuid(paymentId)) return null;
    await this.accounts.changeOwningAccount('payments', paymentId, () => ({
      events: [{ kind: 'payment_announced', paymentId, providerId }],
      result: null,
    }));
    return paymentId;
  }

  private async subscription(provider: ProviderName, providerId: string, waitedMs: number): Promise<boolean> {
    const row = await this.database.manager.findOneBy(SubscriptionRow, { provider, providerId });
    if (row) await this.sync.subscription(row.id);
    else if (provider === 'stripe') await this.unansweredSubscription(providerId);
    else return this.unclaimed(providerId, waitedMs);
    return true;
  }

  private async unansweredSubscription(providerId: string): Promise<void> {
    const readNo = await this.sync.nextReadNo();
    const snapshot = await mapProviderErrors(this.cards.readSubscription(providerId));
    if (snapshot && isUuid(snapshot.reference)) await this.sync.applySubscription(snapshot.reference, snapshot, readNo);
  }

  /**
   * Approved in the wallet, and not known here: taken on for its checkout. An approval without one comes from a client that
   * uses the wallet's rows alone, and is given back unless that client brings it soon.
   */
  private async unclaimed(providerId: string, waitedMs: number): Promise<boolean> {
    const snapshot = await mapProviderErrors(this.wallet.readSubscription(providerId));
    if (!snapshot) return true;
    if (await this.refused.reasonOf(providerId)) {
      await this.refused.endAndRefund(snapshot);
      return true;
    }
    const isRunning = snapshot.status === 'active' || snapshot.status === 'trialing';
    const userId = isRunning ? await this.userOf(snapshot.reference) : null;
    if (!userId) return true;
    const checkout = await this.checkouts.find(snapshot.reference);
    if (checkout) await this.fulfillment.subscription(checkout, snapshot);
    else if (waitedMs < NO_CHECKOUT_GRACE_MS) return false;
    else await this.refuse(userId, snapshot);
    return true;
  }

  private async refuse(userId: string, snapshot: SubscriptionSnapshot): Promise<void> {
    const priceId = this.prices.priceOf(snapshot.priceId) ?? null;
    const refusal = { priceId, refundCents: snapshot.paidCents, payerEmail: null };
    const isRefused = await this.refused.refuse(userId, snapshot.id, 'payments.not_found', refusal);
    if (isRefused) await this.refused.endAndRefund(snapshot);
  }

  /** What was approved for a checkout, though no event told of it. */
  async checkout(checkoutId: string): Promise<void> {
    const checkout = await this.database.manager.findOneBy(CheckoutRow, { id: checkoutId });
    if (!checkout?.customId) return;
    const approvals = await mapProviderErrors(this.wallet.findApprovals(checkout.customId));
    for (const { kind, id } of approvals) await this.process('paypal', kind, id, NO_CHECKOUT_GRACE_MS);
    if (approvals.length > 0) await this.checkouts.settle(checkoutId);
  }

  /** A user here, also one who is gone by now; the wallet's account may have other business than ours. */
  private async userOf(reference: string | null): Promise<string | null> {
    const user = userIdInCustomId(reference);
    if (user === null || isUuid(user)) return user;
    const [known]: { id: string }[] = await this.database.query('SELECT id FROM users WHERE firebase_uid = $1', [user]);
    return known?.id ?? null;
  }
}
