import type { Currency } from '@clearframe/contract';
import type { EntityManager } from 'typeorm';
import { newId } from '../core/ids.js';
import { Charge, Method } from '../core/ledger.entities.js';
import type { LedgerTransaction, Subject } from '../core/ledger.js';

/** Money to be taken for something. */
export interface Demand {
  readonly subjectId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  /** The period of a subscription that is paid for. */
  readonly periodStart: Date | null;
}

/** Takes money, or writes down why that failed. @returns the reason of a failure, or null */
export async function charge(
  { manager, now }: LedgerTransaction,
  demand: Demand,
  methodId: string | null,
): Promise<string | null> {
  const method = methodId === null ? null : await manager.findOneByOrFail(Method, { id: methodId });
  const failureCode = method ? method.declineCode : 'payment_method_missing';
  await manager.insert(Charge, {
    ...demand,
    id: newId('txn'),
    failureCode,
    refundedCents: 0,
    isDisputed: false,
    createdAt: now,
  });
  return failureCode;
}

/** What was taken for something, newest first; failures left out. */
export async function chargesOf(manager: EntityManager, subjectId: string): Promise<Charge[]> {
  const charges = await manager.find(Charge, { where: { subjectId }, order: { createdAt: 'DESC' } });
  return charges.filter(({ failureCode }) => failureCode === null);
}

const isOfPeriod = (periodStart: Date) => (paid: Charge) => paid.periodStart?.getTime() === periodStart.getTime();

/** Charges of one period of a subscription. */
export const inPeriod = (charges: readonly Charge[], periodStart: Date): Charge[] =>
  charges.filter(isOfPeriod(periodStart));

/** What is left to be given back. What a payer's bank is disputing is in nobody's hands. */
const remainderOf = ({ amountCents, refundedCents, isDisputed }: Charge): number =>
  isDisputed ? 0 : amountCents - refundedCents;

/** Gives money back, never more than is left of it. @returns the cents given back */
export async function refund(
  tx: LedgerTransaction,
  charges: readonly Charge[],
  wanted: number,
  of: Subject,
): Promise<number> {
  let given = 0;
  for (const paid of charges) {
    const part = Math.min(wanted - given, remainderOf(paid));
    if (part <= 0) continue;
    given += part;
    await tx.manager.update(Charge, { id: paid.id }, { refundedCents: paid.refundedCents + part });
  }
  if (given > 0) await tx.emit(of.provider === 'paypal' ? 'PAYMENT.CAPTURE.REFUNDED' : 'charge.refunded', of);
  return given;
}
