import { type Currency, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../../../../platform/errors/app-error.js';
import { intentIdIn, isSame, newClientSecret, newId } from '../core/ids.js';
import { Intent, type IntentKind, Method } from '../core/ledger.entities.js';
import { type LedgerTransaction, SandboxLedger, type Subject } from '../core/ledger.js';
import { later } from './agreement-lifecycle.js';
import { newMethod } from './agreements.js';
import { fingerprintOf, type TestCard, testCardOf } from './cards.js';
import { charge } from './charges.js';

/** Hours until an unpaid or unconfirmed intent expires. */
export const INTENT_HOURS = 24;

export type Confirmation =
  | { readonly status: 'succeeded'; readonly paymentMethodId: string }
  | { readonly status: 'requires_action' }
  | { readonly status: 'failed'; readonly errorCode: string };

export interface Purchase {
  readonly customerId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly reference: string;
}

/** Setup and payment intents, which end in a saved payment method or a charge. */
@Injectable()
export class SandboxIntents {
  constructor(private readonly ledger: SandboxLedger) {}

  createSetup(customerId: string, key: string): Promise<Pick<Intent, 'id' | 'secret'>> {
    return this.ledger.once(key, 'setup', { customerId }, (tx) => this.create(tx, 'setup', { customerId }));
  }

  createPayment(purchase: Purchase, key: string): Promise<Pick<Intent, 'id' | 'secret'>> {
    return this.ledger.once(key, 'payment', { ...purchase }, (tx) => this.create(tx, 'payment', purchase));
  }

  /**
   * Presents a test card. A succeeded intent stays so.
   * @throws AppError `payments.not_found` for an unknown intent, `sandbox.real_card_refused`
   */
  async confirm(kind: IntentKind, id: string, cardNumber: string): Promise<Confirmation> {
    const card = testCardOf(cardNumber);
    return this.ledger.transact(async (tx) => {
      const intent = await tx.manager.findOneBy(Intent, { id, kind });
      if (!intent) throw new AppError('payments.not_found');
      const settled = finalConfirmationOf(intent);
      if (settled) return settled;
      if (card.presented === 'redirected') {
        await tx.manager.update(Intent, { id }, { status: 'requires_action', lastError: null });
        return { status: 'requires_action' };
      }
      if (card.presented !== 'accepted') return this.fail(tx, intent, card.presented);
      return this.accept(tx, intent, card);
    });
  }

  /** Result of the bank's page. No effect unless the intent waits for it. */
  authenticate(clientSecret: string, isApproved: boolean): Promise<Confirmation> {
    return this.ledger.transact(async (tx) => {
      const intent = await this.bySecret(tx.manager, clientSecret);
      const settled = finalConfirmationOf(intent);
      if (settled) return settled;
      if (!isApproved || intent.status !== 'requires_action') return this.fail(tx, intent, 'authentication_failed');
      return this.accept(tx, intent, { fingerprint: null, declineCode: null });
    });
  }

  /** @throws AppError `payments.not_found` */
  async bySecret(manager: EntityManager, clientSecret: string): Promise<Intent> {
    const intent = await manager.findOneBy(Intent, { id: intentIdIn(clientSecret) });
    if (!intent || !isSame(clientSecret, intent.secret)) throw new AppError('payments.not_found');
    return intent;
  }

  private async create(tx: LedgerTransaction, kind: IntentKind, order: { customerId: string } | Purchase) {
    const id = newId(kind === 'setup' ? 'seti' : 'pi');
    const secret = newClientSecret(id);
    await tx.manager.insert(Intent, {
      ...order,
      id,
      kind,
      secret,
      status: 'open',
      createdAt: tx.now,
      nextAt: later(tx.now, inMilliseconds.hours(INTENT_HOURS)),
    });
    return { id, secret };
  }

  private async accept(
    tx: LedgerTransaction,
    intent: Intent,
    card: Pick<TestCard, 'fingerprint' | 'declineCode'>,
  ): Promise<Confirmation> {
    const { id, kind, customerId, amountCents, currency } = intent;
    const method = newMethod(tx, {
      // A card of a one-time payment isn't saved and can't be charged later.
      customerId: kind === 'setup' ? customerId : null,
      fingerprint: fingerprintOf(card),
      declineCode: card.declineCode,
    });
    await tx.manager.insert(Method, method);
    if (amountCents !== null && currency !== null) {
      const failure = await charge(tx, { subjectId: id, amountCents, currency, periodStart: null }, method.id);
      if (failure !== null) return this.fail(tx, intent, failure);
    }
    await tx.manager.update(
      Intent,
      { id },
      { status: 'succeeded', paymentMethodId: method.id, lastError: null, nextAt: null },
    );
    await tx.emit(`${kind}_intent.succeeded`, subjectOf(intent));
    return { status: 'succeeded', paymentMethodId: method.id };
  }

  private async fail(tx: LedgerTransaction, intent: Intent, errorCode: string): Promise<Confirmation> {
    await tx.manager.update(Intent, { id: intent.id }, { status: 'open', lastError: errorCode });
    const type = intent.kind === 'setup' ? 'setup_intent.setup_failed' : 'payment_intent.payment_failed';
    await tx.emit(type, subjectOf(intent));
    return { status: 'failed', errorCode };
  }
}

const subjectOf = ({ id, kind }: Intent): Subject => ({ kind, id, provider: 'stripe' });

/** Null unless the intent is final. */
function finalConfirmationOf({ status, paymentMethodId }: Intent): Confirmation | null {
  if (status === 'succeeded' && paymentMethodId) return { status, paymentMethodId };
  return status === 'canceled' ? { status: 'failed', errorCode: 'intent_canceled' } : null;
}

export async function expireIntent(tx: LedgerTransaction, intent: Intent): Promise<void> {
  await tx.manager.update(Intent, { id: intent.id }, { status: 'canceled', nextAt: null });
  await tx.emit(`${intent.kind}_intent.canceled`, subjectOf(intent));
}
