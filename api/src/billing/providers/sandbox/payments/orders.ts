import { type Currency, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { newId } from '../core/ids.js';
import { Charge, Order } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, type LedgerTransaction, SandboxLedger } from '../core/ledger.js';
import { later } from './agreement-lifecycle.js';
import { INTENT_HOURS } from './intents.js';

const SANDBOX_PAYER = 'payer@sandbox.example';

export interface Approval {
  readonly amountCents: number;
  readonly currency: Currency;
  /** `{userId}-{suffix}`. */
  readonly customId: string;
  readonly payerEmail?: string | undefined;
}

/** One-time payments by wallet: approved by the payer, then captured by the product. */
@Injectable()
export class SandboxOrders {
  constructor(private readonly ledger: SandboxLedger) {}

  approve({ amountCents, currency, customId, payerEmail = SANDBOX_PAYER }: Approval): Promise<string> {
    return this.ledger.transact(async (tx) => {
      const id = newId('ch');
      await tx.manager.insert(Order, {
        id,
        customId,
        amountCents,
        currency,
        payerEmail,
        status: 'approved',
        createdAt: tx.now,
        nextAt: later(tx.now, inMilliseconds.hours(INTENT_HOURS)),
      });
      await tx.emit('CHECKOUT.ORDER.APPROVED', { kind: 'payment', id, provider: 'paypal' });
      return id;
    });
  }

  /** Idempotent. */
  capture(id: string, key: string): Promise<string> {
    return this.ledger.once(key, 'capture', { id }, async (tx) => {
      const order = await tx.manager.findOneBy(Order, { id });
      if (!order) throw new InvalidSandboxRequest('no such order');
      if (order.status !== 'approved') return id;
      await tx.manager.insert(Charge, {
        id: newId('txn'),
        subjectId: id,
        amountCents: order.amountCents,
        currency: order.currency,
        periodStart: null,
        failureCode: null,
        refundedCents: 0,
        isDisputed: false,
        createdAt: tx.now,
      });
      await tx.manager.update(Order, { id }, { status: 'captured', nextAt: null });
      await tx.emit('PAYMENT.CAPTURE.COMPLETED', { kind: 'payment', id, provider: 'paypal' });
      return id;
    });
  }
}

export async function expireOrder(tx: LedgerTransaction, { id }: Order): Promise<void> {
  await tx.manager.update(Order, { id }, { status: 'canceled', nextAt: null });
  await tx.emit('CHECKOUT.PAYMENT-APPROVAL.REVERSED', { kind: 'payment', id, provider: 'paypal' });
}
