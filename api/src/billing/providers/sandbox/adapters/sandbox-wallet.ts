import { Injectable } from '@nestjs/common';
import {
  type Approval,
  type PaymentSnapshot,
  type ProviderEvent,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../../port/payment-provider.js';
import { Agreement, Order } from '../core/ledger.entities.js';
import { SandboxCompany, SandboxRefusal } from '../core/ledger.js';
import { SandboxAgreements } from '../payments/agreements.js';
import { SandboxOrders } from '../payments/orders.js';
import { ReturnAddresses } from '../payments/return-address.js';
import { walletPaymentSnapshot } from '../payments/snapshots.js';
import { SandboxEvents } from '../webhooks/events.js';
import { SandboxLine } from './fault-injector.js';

/** The sandbox in the part of the wallet. */
@Injectable()
export class SandboxWallet extends WalletProvider {
  override readonly name = 'paypal';

  constructor(
    private readonly line: SandboxLine,
    private readonly company: SandboxCompany,
    private readonly agreements: SandboxAgreements,
    private readonly orders: SandboxOrders,
    private readonly events: SandboxEvents,
    private readonly returns: ReturnAddresses,
  ) {
    super();
  }

  override get automaticPaymentsUrl(): string {
    return this.returns.pageOf('wallet/automatic-payments', {});
  }

  override readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    return this.line.carry(() => this.agreements.tell(id, this.name));
  }

  override readPayment(id: string): Promise<PaymentSnapshot | null> {
    return this.line.carry(() => this.company.look((books) => walletPaymentSnapshot(books, id)));
  }

  override capturePayment(id: string, key: string): Promise<PaymentSnapshot> {
    return this.line.carry(async () => {
      await this.orders.capture(id, key);
      const snapshot = await this.company.look((books) => walletPaymentSnapshot(books, id));
      if (!snapshot) throw new SandboxRefusal('no such order');
      return snapshot;
    });
  }

  override findApprovals(customId: string): Promise<readonly Approval[]> {
    return this.line.carry(() =>
      this.company.look(async (books) => {
        const agreements = await books.findBy(Agreement, { provider: this.name, reference: customId });
        const orders = await books.findBy(Order, { customId });
        return [
          ...agreements.map(({ id }) => ({ kind: 'subscription' as const, id })),
          ...orders.map(({ id }) => ({ kind: 'payment' as const, id })),
        ];
      }),
    );
  }

  override endSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    return this.line.carry(async () =>
      this.agreements.told(await this.agreements.endNow(id, this.name, key), this.name),
    );
  }

  override refundSubscription(id: string, amountCents: number, key: string): Promise<number> {
    return this.line.carry(() => this.agreements.refund(id, this.name, amountCents, key));
  }

  override readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null> {
    return this.events.read(rawBody, headers);
  }
}
