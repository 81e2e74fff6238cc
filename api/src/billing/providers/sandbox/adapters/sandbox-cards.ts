import { Injectable } from '@nestjs/common';
import {
  CardProvider,
  PaymentDeclined,
  type PaymentMethod,
  type PaymentSnapshot,
  type ProviderEvent,
  type SubscriptionSnapshot,
} from '../../port/payment-provider.js';
import { newId } from '../core/ids.js';
import { Agreement, Customer, Method } from '../core/ledger.entities.js';
import { SandboxLedger } from '../core/ledger.js';
import { SandboxAgreements, type SubscriptionOrder } from '../payments/agreements.js';
import { type Purchase, SandboxIntents } from '../payments/intents.js';
import { OpenInvoices } from '../payments/open-invoices.js';
import { PortalSessions } from '../payments/portal-sessions.js';
import { cardPaymentSnapshot, subscriptionSnapshot } from '../payments/snapshots.js';
import { SandboxEvents } from '../webhooks/events.js';
import { FaultInjector } from './fault-injector.js';

/** Not needed by the sandbox's pages, but clients handle one. */
const PUBLISHABLE_KEY = 'sbx_pk_local';

@Injectable()
export class SandboxCards extends CardProvider {
  override readonly name = 'stripe';
  override readonly publishableKey = (): string => PUBLISHABLE_KEY;

  constructor(
    private readonly faults: FaultInjector,
    private readonly ledger: SandboxLedger,
    private readonly intents: SandboxIntents,
    private readonly agreements: SandboxAgreements,
    private readonly openInvoices: OpenInvoices,
    private readonly portal: PortalSessions,
    private readonly events: SandboxEvents,
  ) {
    super();
  }

  override ensureCustomer({ id: userId }: { readonly id: string }): Promise<string> {
    return this.faults.call(() =>
      this.ledger.transact(async ({ manager, now }) => {
        const known = await manager.findOneBy(Customer, { userId });
        if (known) return known.id;
        const id = newId('cus');
        await manager.insert(Customer, { id, userId, createdAt: now });
        return id;
      }),
    );
  }

  override createSetupIntent(customerId: string, key: string): Promise<{ readonly clientSecret: string }> {
    return this.faults.call(async () => {
      const { secret } = await this.intents.createSetup(customerId, key);
      return { clientSecret: secret };
    });
  }

  override readPaymentMethod(id: string): Promise<PaymentMethod | null> {
    return this.faults.call(() =>
      this.ledger.read(async (manager) => {
        const method = await manager.findOneBy(Method, { id });
        return method && { id, customerId: method.customerId, fingerprint: method.fingerprint };
      }),
    );
  }

  override createPaymentIntent({
    key,
    ...purchase
  }: Purchase & { readonly key: string }): Promise<{ readonly id: string; readonly clientSecret: string }> {
    return this.faults.call(async () => {
      const { id, secret } = await this.intents.createPayment(purchase, key);
      return { id, clientSecret: secret };
    });
  }

  override createSubscription({
    key,
    ...order
  }: SubscriptionOrder & { readonly key: string }): Promise<SubscriptionSnapshot> {
    return this.faults.call(async () => {
      const result = await this.agreements.begin(order, key);
      if ('declined' in result) throw new PaymentDeclined(result.declined);
      return this.agreements.requireSnapshot(result.id, this.name);
    });
  }

  override payOpenInvoice({
    subscriptionId,
    paymentMethodId,
    key,
  }: {
    readonly subscriptionId: string;
    readonly paymentMethodId: string;
    readonly key: string;
  }): Promise<SubscriptionSnapshot> {
    return this.faults.call(async () => {
      await this.openInvoices.pay(subscriptionId, paymentMethodId, key);
      return this.agreements.requireSnapshot(subscriptionId, this.name);
    });
  }

  override voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    return this.faults.call(async () => {
      await this.openInvoices.voidFirst(id, key);
      return this.agreements.requireSnapshot(id, this.name);
    });
  }

  override listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]> {
    return this.faults.call(() =>
      this.ledger.read(async (manager) => {
        const agreements = await manager.find(Agreement, {
          where: { customerId },
          order: { createdAt: 'DESC', id: 'DESC' },
        });
        const snapshots: SubscriptionSnapshot[] = [];
        for (const agreement of agreements) snapshots.push(await subscriptionSnapshot(manager, agreement));
        return snapshots;
      }),
    );
  }

  override setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot> {
    return this.faults.call(async () =>
      this.agreements.requireSnapshot(await this.agreements.setCancelAtPeriodEnd(id, cancel, key), this.name),
    );
  }

  override openPortal(customerId: string): Promise<string> {
    return this.faults.call(() => this.portal.open(customerId));
  }

  override readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    return this.faults.call(() => this.agreements.snapshotOf(id, this.name));
  }

  override readPayment(id: string): Promise<PaymentSnapshot | null> {
    return this.faults.call(() => this.ledger.read((manager) => cardPaymentSnapshot(manager, id)));
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
