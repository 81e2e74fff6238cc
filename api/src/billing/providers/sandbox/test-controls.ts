import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Charge, Intent, Method, Order } from './core/ledger.entities.js';
import { InvalidSandboxRequest, SandboxLedger, type Subject } from './core/ledger.js';
import { subjectOf } from './payments/agreement-lifecycle.js';
import { findAgreement } from './payments/agreements.js';
import { chargesOf, refund } from './payments/charges.js';
import { OpenInvoices } from './payments/open-invoices.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

/** Actions of payers, banks and the provider's staff, for tests in the same process. */
@Injectable()
export class TestControls {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly openInvoices: OpenInvoices,
    private readonly sender: WebhookSender,
  ) {}

  /** Disputes the latest charge of a payment or subscription. */
  dispute(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const subject = await this.find(tx.manager, id);
      const [latest] = await chargesOf(tx.manager, id);
      if (!latest) throw new InvalidSandboxRequest('there is no charge');
      await tx.manager.update(Charge, { id: latest.id }, { isDisputed: true });
      await tx.emit(subject.provider === 'paypal' ? 'CUSTOMER.DISPUTE.CREATED' : 'charge.dispute.created', subject);
    });
  }

  /** Refunds part of a one-time payment, at most the refundable amount. @returns the refunded cents */
  refundPayment(id: string, amountCents: number): Promise<number> {
    return this.ledger.transact(async (tx) =>
      refund(tx, await chargesOf(tx.manager, id), amountCents, await this.find(tx.manager, id)),
    );
  }

  /** For insufficient funds. */
  failFutureCharges(subscriptionId: string): Promise<void> {
    return this.ledger.transact(async ({ manager }) => {
      const agreement = await findAgreement(manager, subscriptionId);
      if (!agreement?.paymentMethodId) throw new InvalidSandboxRequest('no subscription with a payment method');
      await manager.update(Method, { id: agreement.paymentMethodId }, { declineCode: 'insufficient_funds' });
    });
  }

  /** Pays with another card. @returns the reason of a failure, or null */
  payOpenInvoice(subscriptionId: string, cardNumber: string): Promise<string | null> {
    return this.openInvoices.payByCard(subscriptionId, cardNumber);
  }

  /** Resolves when all waiting events have been posted once. */
  deliverEvents(): Promise<void> {
    return this.sender.deliver();
  }

  /** Withholds events, or resumes them. */
  webhooks(mode: 'sent' | 'withheld'): void {
    this.sender.withhold(mode === 'withheld');
  }

  private async find(manager: EntityManager, id: string): Promise<Subject> {
    const agreement = await findAgreement(manager, id);
    if (agreement) return subjectOf(agreement);
    if (await manager.existsBy(Intent, { id, kind: 'payment' })) return { kind: 'payment', id, provider: 'stripe' };
    if (await manager.existsBy(Order, { id })) return { kind: 'payment', id, provider: 'paypal' };
    throw new InvalidSandboxRequest('unknown id');
  }
}
