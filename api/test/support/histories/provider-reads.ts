import type { Payment, Subscription } from '../../../src/billing-accounts/billing-account.js';
import type { AccountModel } from './account-model.js';
import { picked } from './history-events.js';
import type { ProviderModel } from './provider-model.js';

export class ProviderReads {
  private readonly late: (() => void)[] = [];

  constructor(
    private readonly accountModel: AccountModel,
    private readonly providerModel: ProviderModel,
  ) {}

  read(row: Payment | Subscription | undefined, size: number): void {
    if (!row) return;
    const deliver = 'exports' in row ? this.payment(row) : this.subscription(row);
    if (size % 3 === 0) this.late.push(deliver);
    else deliver();
  }

  /** Reads now; the response is applied when the result is called. */
  payment(payment: Payment): () => void {
    const readNo = this.accountModel.nextReadNo();
    const state = { ...this.providerModel.payments.get(payment.id) };
    return () => this.accountModel.pay(payment, state, readNo);
  }

  subscription(subscription: Subscription): () => void {
    const readNo = this.accountModel.nextReadNo();
    const running = this.providerModel.subscriptions.get(subscription.id);
    const snapshot = { ...running };
    return () => running && this.accountModel.run(subscription, snapshot, readNo);
  }

  deliverLate(pick: number): void {
    const deliver = picked(this.late, pick);
    if (!deliver) return;
    this.late.splice(this.late.indexOf(deliver), 1);
    deliver();
  }

  deliverAllLate(): void {
    for (const deliver of this.late.splice(0)) deliver();
  }
}
