import { Injectable } from '@nestjs/common';
import { type Agreement, Method } from '../core/ledger.entities.js';
import { SandboxCompany, SandboxRefusal, type Work } from '../core/ledger.js';
import { bill, billFirst, end, keep, planOf, settle } from './agreement-life.js';
import { findAgreement, newMethod } from './agreements.js';
import { fingerprintOf, testCardOf } from './cards.js';

const owes = ({ status }: Agreement): boolean => status === 'incomplete' || status === 'past_due';

/** The open invoice of a subscription by card: paid with another card, or voided. */
@Injectable()
export class OpenInvoices {
  constructor(private readonly company: SandboxCompany) {}

  /** Pays with a kept payment method, once; with nothing to pay, nothing is charged. @returns why it failed, or null */
  async pay(id: string, paymentMethodId: string, key: string): Promise<string | null> {
    const { failure } = await this.company.once(key, 'pay_open_invoice', { id, paymentMethodId }, async (work) => {
      const agreement = await cardAgreement(work, id);
      const method = await work.books.findOneBy(Method, { id: paymentMethodId });
      if (!method || method.customerId !== agreement.customerId) {
        throw new SandboxRefusal('not a payment method of this customer');
      }
      return { failure: owes(agreement) ? await charge(work, agreement, method) : null };
    });
    return failure;
  }

  /** Pays with a test card. @returns why it failed, or null */
  payByCard(id: string, cardNumber: string): Promise<string | null> {
    const card = testCardOf(cardNumber);
    return this.company.work(async (work) => {
      const agreement = await cardAgreement(work, id);
      if (agreement.endedAt) throw new SandboxRefusal('this subscription has ended');
      if (!owes(agreement)) return null;
      const isAccepted = card.presented === 'accepted' || card.presented === 'redirected';
      if (!isAccepted) return card.presented;
      const { customerId } = agreement;
      const method = newMethod(work, { customerId, fingerprint: fingerprintOf(card), declineCode: card.declineCode });
      await work.books.insert(Method, method);
      return charge(work, agreement, method);
    });
  }

  /** Voids the first invoice, and with it the subscription. One that was paid stays as it is. */
  voidFirst(id: string, key: string): Promise<string> {
    return this.company.once(key, 'void_first_invoice', { id }, async (work) => {
      const agreement = await cardAgreement(work, id);
      if (agreement.status !== 'incomplete') return id;
      end(agreement, work.now);
      await keep(work, agreement, 'expired');
      return id;
    });
  }
}

async function cardAgreement({ books }: Work, id: string): Promise<Agreement> {
  const agreement = await findAgreement(books, id, 'stripe');
  if (!agreement) throw new SandboxRefusal('no such subscription');
  return agreement;
}

/** A method that pays becomes the subscription's own; a declined one leaves everything as it was. */
async function charge(work: Work, agreement: Agreement, method: Method): Promise<string | null> {
  const former = agreement.paymentMethodId;
  agreement.paymentMethodId = method.id;
  const failure =
    agreement.status === 'incomplete'
      ? await billFirst(work, agreement)
      : await bill(work, agreement, planOf(agreement.priceId).amountCents);
  if (failure === null) {
    await settle(work, agreement);
    return null;
  }
  agreement.paymentMethodId = former;
  await keep(work, agreement, 'unpaid');
  return failure;
}
