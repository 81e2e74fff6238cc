import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Charge, Intent, Method, Order } from './core/ledger.entities.js';
import { SandboxCompany, SandboxRefusal, type Subject } from './core/ledger.js';
import { subjectOf } from './payments/agreement-life.js';
import { findAgreement } from './payments/agreements.js';
import { chargesOf, refund } from './payments/charges.js';
import { OpenInvoices } from './payments/open-invoices.js';
import { SandboxMessenger } from './webhooks/webhook-sender.js';

/** What other people do at a payment company: payers, their banks, staff at its dashboard. For tests, in process. */
@Injectable()
export class SandboxDesk {
  constructor(
    private readonly company: SandboxCompany,
    private readonly openInvoices: OpenInvoices,
    private readonly messenger: SandboxMessenger,
  ) {}

  /** The payer's bank disputes the latest charge of a payment or subscription. */
  dispute(id: string): Promise<void> {
    return this.company.work(async (work) => {
      const subject = await this.find(work.books, id);
      const [latest] = await chargesOf(work.books, id);
      if (!latest) throw new SandboxRefusal('nothing was paid for this');
      await work.books.update(Charge, { id: latest.id }, { isDisputed: true });
      await work.tell(subject.provider === 'paypal' ? 'CUSTOMER.DISPUTE.CREATED' : 'charge.dispute.created', subject);
    });
  }

  /** Staff gives back part of a payment made once. @returns the cents given back, never more than is left */
  refundPayment(id: string, amountCents: number): Promise<number> {
    return this.company.work(async (work) =>
      refund(work, await chargesOf(work.books, id), amountCents, await this.find(work.books, id)),
    );
  }

  /** The payer's card or wallet is empty from now on. */
  failFutureCharges(subscriptionId: string): Promise<void> {
    return this.company.work(async ({ books }) => {
      const agreement = await findAgreement(books, subscriptionId);
      if (!agreement?.paymentMethodId) throw new SandboxRefusal('no subscription with a payment method');
      await books.update(Method, { id: agreement.paymentMethodId }, { declineCode: 'insufficient_funds' });
    });
  }

  /** The payer pays what is still owed by another card. @returns why that failed, or null */
  payOpen(subscriptionId: string, cardNumber: string): Promise<string | null> {
    return this.openInvoices.payByCard(subscriptionId, cardNumber);
  }

  /** Waits until everything that waits to be told has been posted once. */
  deliverEvents(): Promise<void> {
    return this.messenger.deliver();
  }

  /** Keeps events back, or sends them again. */
  webhooks(mode: 'sent' | 'withheld'): void {
    this.messenger.withhold(mode === 'withheld');
  }

  private async find(books: EntityManager, id: string): Promise<Subject> {
    const agreement = await findAgreement(books, id);
    if (agreement) return subjectOf(agreement);
    if (await books.existsBy(Intent, { id, kind: 'payment' })) return { kind: 'payment', id, provider: 'stripe' };
    if (await books.existsBy(Order, { id })) return { kind: 'payment', id, provider: 'paypal' };
    throw new SandboxRefusal('nothing is called this');
  }
}
