import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { CheckoutRepository, userIdInCustomId } from '../payments/checkout.repository.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { CardProvider, PaymentProviders, type ProviderName, WalletProvider } from '../providers/payment-provider.js';
import { UserRepository } from '../users/user.repository.js';
import { WalletFulfillment } from './wallet-fulfillment.js';

/** Time for a client without a checkout to report its wallet approval. */
const NO_CHECKOUT_GRACE_MS = inMilliseconds.minutes(1);

const Uuid = z.guid();
const isUuid = (text: string | null): text is string => Uuid.safeParse(text).success;

@Injectable()
export class ProviderEventProcessor {
  constructor(
    private readonly repository: AccountRepository,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly checkouts: CheckoutRepository,
    private readonly fulfillment: WalletFulfillment,
    private readonly refused: RefusedApprovals,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly providers: PaymentProviders,
    private readonly users: UserRepository,
  ) {}

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
    const row = await this.repository.findPayment({ provider, providerId });
    if (row) await this.sync.payment(row.id);
    else if (this.providers.of(provider).needsApproval) await this.fulfillment.payment(providerId);
    else await this.syncPaymentByReference(providerId);
  }

  /** The response to its creation was lost; the reference is our row's id. */
  private async syncPaymentByReference(providerId: string): Promise<void> {
    const snapshot = await this.cards.readPayment(providerId);
    const paymentId = snapshot?.reference ?? null;
    if (!isUuid(paymentId)) return;
    await this.accounts.changeOwningAccount('payments', paymentId, () => ({
      events: [{ kind: 'payment_announced', paymentId, providerId }],
      result: null,
    }));
    await this.sync.payment(paymentId);
  }

  private async subscription(provider: ProviderName, providerId: string, waitedMs: number): Promise<boolean> {
    const row = await this.repository.findSubscription({ provider, providerId });
    if (!row && this.providers.of(provider).needsApproval) return this.approvedSubscription(providerId, waitedMs);
    if (row) await this.sync.subscription(row.id);
    else await this.syncSubscriptionByReference(providerId);
    return true;
  }

  private async syncSubscriptionByReference(providerId: string): Promise<void> {
    const readNo = await this.sync.nextReadNo();
    const snapshot = await this.cards.readSubscription(providerId);
    if (snapshot && isUuid(snapshot.reference)) await this.sync.applySubscription(snapshot.reference, snapshot, readNo);
  }

  /**
   * Fulfills an approval for its checkout. One without a checkout comes from a client that calls the wallet routes
   * only, and is refused unless the client reports it soon.
   */
  private async approvedSubscription(providerId: string, waitedMs: number): Promise<boolean> {
    const snapshot = await this.wallet.readSubscription(providerId);
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
    else await this.refused.refuseSubscription(userId, snapshot, 'payments.not_found');
    return true;
  }

  async checkout(checkoutId: string): Promise<void> {
    const checkout = await this.checkouts.findById(checkoutId);
    if (!checkout?.customId) return;
    const approvals = await this.wallet.findApprovals(checkout.customId);
    for (const { kind, id } of approvals) await this.process(this.wallet.name, kind, id, NO_CHECKOUT_GRACE_MS);
    if (approvals.length > 0) await this.checkouts.settle(checkoutId);
  }

  /** Null for approvals that aren't ours. The user may have been erased. */
  private async userOf(reference: string | null): Promise<string | null> {
    const user = userIdInCustomId(reference);
    if (user === null || isUuid(user)) return user;
    return this.users.findIdOf(user);
  }
}
