import { inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PaymentRow, SubscriptionRow } from './account/account.entities.js';
import { BillingAccounts } from './billing-accounts.js';
import { CardProvider, type ProviderName, WalletProvider } from './payment-provider.js';
import { asking } from './provider-errors.js';
import { ProviderSync } from './provider-sync.js';
import { userOfReference } from './reference.js';
import { SubscribingService } from './subscribing.service.js';

/** How long somebody may take from approving in the wallet to confirming here. */
const UNCLAIMED_FOR_MS = inMilliseconds.hours(1);

const isUuid = (text: string | null): text is string => text !== null && /^[0-9a-f-]{36}$/.test(text);

/** Finds out whose the thing is that a provider's event is about, and has it read. */
@Injectable()
export class ProviderSubjects {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly subscribing: SubscribingService,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
  ) {}

  /** False when it is too early to say what to make of it; `waitedMs` is how long one has been at it. */
  async look(
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
  }

  /** A payment whose creation we never heard the answer of: the provider calls it by our row. */
  private async unanswered(providerId: string): Promise<string | null> {
    const snapshot = await asking(this.cards.readPayment(providerId));
    const paymentId = snapshot?.reference ?? null;
    if (!isUuid(paymentId)) return null;
    await this.accounts.changeOwner('payments', paymentId, () => ({
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
    const readNo = await this.sync.beginReading();
    const snapshot = await asking(this.cards.readSubscription(providerId));
    if (snapshot && isUuid(snapshot.reference)) await this.sync.applySubscription(snapshot.reference, snapshot, readNo);
  }

  /** Made in the wallet, and never brought here: after a while it is ended, and what it took is given back. */
  private async unclaimed(providerId: string, waitedMs: number): Promise<boolean> {
    const snapshot = await asking(this.wallet.readSubscription(providerId));
    const isRunning = snapshot?.status === 'active' || snapshot?.status === 'trialing';
    if (!snapshot || !isRunning || !(await this.isOurs(snapshot.reference))) return true;
    if (waitedMs < UNCLAIMED_FOR_MS) return false;
    await this.subscribing.sendBack(snapshot);
    return true;
  }

  /** Somebody's here, also if they are gone by now; the wallet's account may have other business than ours. */
  private async isOurs(reference: string | null): Promise<boolean> {
    const user = userOfReference(reference);
    if (user === null || isUuid(user)) return user !== null;
    const [known]: unknown[] = await this.database.query('SELECT FROM users WHERE firebase_uid = $1', [user]);
    return known !== undefined;
  }
}
