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
import { SandboxCompany } from '../core/ledger.js';
import { SandboxAgreements, type SubscriptionOrder } from '../payments/agreements.js';
import { type Purchase, SandboxIntents } from '../payments/intents.js';
import { OpenInvoices } from '../payments/open-invoices.js';
import { PortalSessions } from '../payments/portal-sessions.js';
import { cardPaymentSnapshot, subscriptionSnapshot } from '../payments/snapshots.js';
import { SandboxEvents } from '../webhooks/events.js';
import { SandboxLine } from './fault-injector.js';

/** The sandbox's pages need no key; clients must handle one all the same. */
const PUBLISHABLE_KEY = 'sbx_pk_local';

/** The sandbox in the part of the company that takes cards. */
@Injectable()
export class SandboxCards extends CardProvider {
  override readonly name = 'stripe';
  override readonly publishableKey = (): string => PUBLISHABLE_KEY;

  constructor(
    private readonly line: SandboxLine,
    private readonly company: SandboxCompany,
    private readonly intents: SandboxIntents,
    private readonly agreements: SandboxAgreements,
    private readonly openInvoices: OpenInvoices,
    private readonly portal: PortalSessions,
    private readonly events: SandboxEvents,
  ) {
    super();
  }

  override ensureCustomer({ id: userId }: { readonly id: string }): Promise<string> {
    return this.line.carry(() =>
      this.company.work(async ({ books, now }) => {
        const known = await books.findOneBy(Customer, { userId });
        if (known) return known.id;
        const id = newId('cus');
        await books.insert(Customer, { id, userId, createdAt: now });
        return id;
      }),
    );
  }

  override createSetupIntent(customerId: string, key: string): Promise<{ readonly clientSecret: string }> {
    return this.line.carry(async () => {
      const { secret } = await this.intents.createSetup(customerId, key);
      return { clientSecret: secret };
    });
  }

  override readPaymentMethod(id: string): Promise<PaymentMethod | null> {
    return this.line.carry(() =>
      this.company.look(async (books) => {
        const method = await books.findOneBy(Method, { id });
        return method && { id, customerId: method.customerId, fingerprint: method.fingerprint };
      }),
    );
  }

  override createPaymentIntent({
    key,
    ...purchase
  }: Purchase & { readonly key: string }): Promise<{ readonly id: string; readonly clientSecret: string }> {
    return this.line.carry(async () => {
      const { id, secret } = await this.intents.createPayment(purchase, key);
      return { id, clientSecret: secret };
    });
  }

  override createSubscription({
    key,
    ...order
  }: SubscriptionOrder & { readonly key: string }): Promise<SubscriptionSnapshot> {
    return this.line.carry(async () => {
      const begun = await this.agreements.begin(order, key);
      if ('declined' in begun) throw new PaymentDeclined(begun.declined);
      return this.agreements.told(begun.id, this.name);
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
    return this.line.carry(async () => {
      await this.openInvoices.pay(subscriptionId, paymentMethodId, key);
      return this.agreements.told(subscriptionId, this.name);
    });
  }

  override voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    return this.line.carry(async () => {
      await this.openInvoices.voidFirst(id, key);
      return this.agreements.told(id, this.name);
    });
  }

  override listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]> {
    return this.line.carry(() =>
      this.company.look(async (books) => {
        const agreements = await books.find(Agreement, {
          where: { customerId },
          order: { createdAt: 'DESC', id: 'DESC' },
        });
        const snapshots: SubscriptionSnapshot[] = [];
        for (const agreement of agreements) snapshots.push(await subscriptionSnapshot(books, agreement));
        return snapshots;
      }),
    );
  }

  override setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot> {
    return this.line.carry(async () =>
      this.agreements.told(await this.agreements.setCancelAtPeriodEnd(id, cancel, key), this.name),
    );
  }

  override openPortal(customerId: string): Promise<string> {
    return this.line.carry(() => this.portal.open(customerId));
  }

  override readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    return this.line.carry(() => this.agreements.tell(id, this.name));
  }

  override readPayment(id: string): Promise<PaymentSnapshot | null> {
    return this.line.carry(() => this.company.look((books) => cardPaymentSnapshot(books, id)));
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
