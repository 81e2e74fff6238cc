import type { Currency } from '@clearframe/contract';
import type { EntityManager } from 'typeorm';
import { newId } from '../core/ids.js';
import { Charge, Method } from '../core/ledger.entities.js';
import type { LedgerTransaction, Subject } from '../core/ledger.js';

export interface ChargeRequest {
  readonly subjectId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  /** Of a subscription. */
  readonly periodStart: Date | null;
}

/** Charges a payment method and stores the result. @returns the reason of a failure, or null */
export async function charge(
  { manager, now }: LedgerTransaction,
  request: ChargeRequest,
  methodId: string | null,
): Promise<string | null> {
  const method = methodId === null ? null : await manager.findOneByOrFail(Method, { id: methodId });
  const failureCode = method ? method.declineCode : 'payment_method_missing';
  await manager.insert(Charge, {
    ...request,
    id: newId('txn'),
    failureCode,
    refundedCents: 0,
    isDisputed: false,
    createdAt: now,
  });
  return failureCode;
}

/** Successful ones, newest first. */
export async function chargesOf(manager: EntityManager, subjectId: string): Promise<Charge[]> {
  const charges = await manager.find(Charge, { where: { subjectId }, order: { createdAt: 'DESC' } });
  return charges.filter(({ failureCode }) => failureCode === null);
}

const isOfPeriod = (periodStart: Date) => (paid: Charge) => paid.periodStart?.getTime() === periodStart.getTime();

export const inPeriod = (charges: readonly Charge[], periodStart: Date): Charge[] =>
  charges.filter(isOfPeriod(periodStart));

/** Nothing of a disputed charge can be refunded. */
const remainderOf = ({ amountCents, refundedCents, isDisputed }: Charge): number =>
  isDisputed ? 0 : amountCents - refundedCents;

/** Refunds at most the refundable amount. @returns the refunded cents */
export async function refund(
  tx: LedgerTransaction,
  charges: readonly Charge[],
  amountCents: number,
  subject: Subject,
): Promise<number> {
  let refunded = 0;
  for (const paid of charges) {
    const part = Math.min(amountCents - refunded, remainderOf(paid));
    if (part <= 0) continue;
    refunded += part;
    await tx.manager.update(Charge, { id: paid.id }, { refundedCents: paid.refundedCents + part });
  }
  if (refunded > 0)
    await tx.emit(subject.provider === 'paypal' ? 'PAYMENT.CAPTURE.REFUNDED' : 'charge.refunded', subject);
  return refunded;
}
