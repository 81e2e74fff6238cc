import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Charge, Intent, Method, Order } from './core/ledger.entities.js';
import { InvalidSandboxRequest, SandboxLedger, type Subject } from './core/ledger.js';
import { subjectOf } from './payments/agreement-life.js';
import { findAgreement } from './payments/agreements.js';
import { chargesOf, refund } from './payments/charges.js';
import { OpenInvoices } from './payments/open-invoices.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

/** What other people do at a payment company: payers, their banks, staff at its dashboard. For tests, in process. */
@Injectable()
export class TestControls {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly openInvoices: OpenInvoices,
    private readonly sender: WebhookSender,
  ) {}

  /** The payer's bank disputes the latest charge of a payment or subscription. */
  dispute(id: string): Promise<void> {
    return this.ledger.transact(async (tx) => {
      const subject = await this.find(tx.manager, id);
      const [latest] = await chargesOf(tx.manager, id);
      if (!latest) throw new InvalidSandboxRequest('nothing was paid for this');
      await tx.manager.update(Charge, { id: latest.id }, { isDisputed: true });
      await tx.emit(subject.provider === 'paypal' ? 'CUSTOMER.DISPUTE.CREATED' : 'charge.dispute.created', subject);
    });
  }

  /** Staff gives back part of a payment made once. @returns the cents given back, never more than is left */
  refundPayment(id: string, amountCents: number): Promise<number> {
    return this.ledger.transact(async (tx) =>
      refund(tx, await chargesOf(tx.manager, id), amountCents, await this.find(tx.manager, id)),
    );
  }

  /** The payer's card or wallet is empty from now on. */
  failFutureCharges(subscriptionId: string): Promise<void> {
    return this.ledger.transact(async ({ manager }) => {
      const agreement = await findAgreement(manager, subscriptionId);
      if (!agreement?.paymentMethodId) throw new InvalidSandboxRequest('no subscription with a payment method');
      await manager.update(Method, { id: agreement.paymentMethodId }, { declineCode: 'insufficient_funds' });
    });
  }

  /** The payer pays what is still owed by another card. @returns why that failed, or null */
  payOpen(subscriptionId: string, cardNumber: string): Promise<string | null> {
    return this.openInvoices.payByCard(subscriptionId, cardNumber);
  }

  /** Waits until everything that waits to be told has been posted once. */
  deliverEvents(): Promise<void> {
    return this.sender.deliver();
  }

  /** Keeps events back, or sends them again. */
  webhooks(mode: 'sent' | 'withheld'): void {
    this.sender.withhold(mode === 'withheld');
  }

  private async find(manager: EntityManager, id: string): Promise<Subject> {
    const agreement = await findAgreement(manager, id);
    if (agreement) return subjectOf(agreement);
    if (await manager.existsBy(Intent, { id, kind: 'payment' })) return { kind: 'payment', id, provider: 'stripe' };
    if (await manager.existsBy(Order, { id })) return { kind: 'payment', id, provider: 'paypal' };
    throw new InvalidSandboxRequest('nothing is called this');
  }
}
