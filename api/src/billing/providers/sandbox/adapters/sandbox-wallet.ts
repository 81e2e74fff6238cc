import { Injectable } from '@nestjs/common';
import {
  type Approval,
  type PaymentSnapshot,
  type ProviderEvent,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../../port/payment-provider.js';
import { Agreement, Order } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, SandboxLedger } from '../core/ledger.js';
import { SandboxAgreements } from '../payments/agreements.js';
import { SandboxOrders } from '../payments/orders.js';
import { ReturnUrls } from '../payments/return-urls.js';
import { walletPaymentSnapshot } from '../payments/snapshots.js';
import { SandboxEvents } from '../webhooks/events.js';
import { FaultInjector } from './fault-injector.js';

@Injectable()
export class SandboxWallet extends WalletProvider {
  override readonly name = 'paypal';

  constructor(
    private readonly faults: FaultInjector,
    private readonly ledger: SandboxLedger,
    private readonly agreements: SandboxAgreements,
    private readonly orders: SandboxOrders,
    private readonly events: SandboxEvents,
    private readonly returns: ReturnUrls,
  ) {
    super();
  }

  override get automaticPaymentsUrl(): string {
    return this.returns.pageOf('wallet/automatic-payments', {});
  }

  override readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    return this.faults.call(() => this.agreements.snapshotOf(id, this.name));
  }

  override readPayment(id: string): Promise<PaymentSnapshot | null> {
    return this.faults.call(() => this.ledger.read((manager) => walletPaymentSnapshot(manager, id)));
  }

  override capturePayment(id: string, key: string): Promise<PaymentSnapshot> {
    return this.faults.call(async () => {
      await this.orders.capture(id, key);
      const snapshot = await this.ledger.read((manager) => walletPaymentSnapshot(manager, id));
      if (!snapshot) throw new InvalidSandboxRequest('no such order');
      return snapshot;
    });
  }

  override findApprovals(customId: string): Promise<readonly Approval[]> {
    return this.faults.call(() =>
      this.ledger.read(async (manager) => {
        const agreements = await manager.findBy(Agreement, { provider: this.name, reference: customId });
        const orders = await manager.findBy(Order, { customId });
        return [
          ...agreements.map(({ id }) => ({ kind: 'subscription' as const, id })),
          ...orders.map(({ id }) => ({ kind: 'payment' as const, id })),
        ];
      }),
    );
  }

  override endSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    return this.faults.call(async () =>
      this.agreements.requireSnapshot(await this.agreements.endNow(id, this.name, key), this.name),
    );
  }

  override refundSubscription(id: string, amountCents: number, key: string): Promise<number> {
    return this.faults.call(() => this.agreements.refund(id, this.name, amountCents, key));
  }

  override readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null> {
    return this.events.read(rawBody, headers);
  }
}
