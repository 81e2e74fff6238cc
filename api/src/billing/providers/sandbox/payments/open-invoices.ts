import { Injectable } from '@nestjs/common';
import { type Agreement, Method } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, type LedgerTransaction, SandboxLedger } from '../core/ledger.js';
import { bill, billFirst, end, planOf, save, settle } from './agreement-lifecycle.js';
import { findAgreement, newMethod } from './agreements.js';
import { fingerprintOf, testCardOf } from './cards.js';

const hasOpenInvoice = ({ status }: Agreement): boolean => status === 'incomplete' || status === 'past_due';

/** Open invoices of subscriptions by card. */
@Injectable()
export class OpenInvoices {
  constructor(private readonly ledger: SandboxLedger) {}

  /** Pays with a saved payment method, at most once. @returns the reason of a failure, or null */
  async pay(id: string, paymentMethodId: string, key: string): Promise<string | null> {
    const { failure } = await this.ledger.once(key, 'pay_open_invoice', { id, paymentMethodId }, async (tx) => {
      const agreement = await cardAgreement(tx, id);
      const method = await tx.manager.findOneBy(Method, { id: paymentMethodId });
      if (!method || method.customerId !== agreement.customerId) {
        throw new InvalidSandboxRequest('not a payment method of this customer');
      }
      return { failure: hasOpenInvoice(agreement) ? await chargeInvoice(tx, agreement, method) : null };
    });
    return failure;
  }

  /** Pays with a test card. @returns the reason of a failure, or null */
  payByCard(id: string, cardNumber: string): Promise<string | null> {
    const card = testCardOf(cardNumber);
    return this.ledger.transact(async (tx) => {
      const agreement = await cardAgreement(tx, id);
      if (agreement.endedAt) throw new InvalidSandboxRequest('this subscription has ended');
      if (!hasOpenInvoice(agreement)) return null;
      const isAccepted = card.presented === 'accepted' || card.presented === 'redirected';
      if (!isAccepted) return card.presented;
      const { customerId } = agreement;
      const method = newMethod(tx, { customerId, fingerprint: fingerprintOf(card), declineCode: card.declineCode });
      await tx.manager.insert(Method, method);
      return chargeInvoice(tx, agreement, method);
    });
  }

  /** Voids the first invoice and the subscription, unless paid. */
  voidFirst(id: string, key: string): Promise<string> {
    return this.ledger.once(key, 'void_first_invoice', { id }, async (tx) => {
      const agreement = await cardAgreement(tx, id);
      if (agreement.status !== 'incomplete') return id;
      end(agreement, tx.now);
      await save(tx, agreement, 'expired');
      return id;
    });
  }
}

async function cardAgreement({ manager }: LedgerTransaction, id: string): Promise<Agreement> {
  const agreement = await findAgreement(manager, id, 'stripe');
  if (!agreement) throw new InvalidSandboxRequest('no such subscription');
  return agreement;
}

/** A method that paid becomes the default; a declined one changes nothing. */
async function chargeInvoice(tx: LedgerTransaction, agreement: Agreement, method: Method): Promise<string | null> {
  const former = agreement.paymentMethodId;
  agreement.paymentMethodId = method.id;
  const failure =
    agreement.status === 'incomplete'
      ? await billFirst(tx, agreement)
      : await bill(tx, agreement, planOf(agreement.priceId).amountCents);
  if (failure === null) {
    await settle(tx, agreement);
    return null;
  }
  agreement.paymentMethodId = former;
  await save(tx, agreement, 'unpaid');
  return failure;
}
