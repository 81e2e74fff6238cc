import { randomUUID } from 'node:crypto';
import type { PackPrice } from '@clearframe/contract';
import type { EntityManager } from 'typeorm';
import { type BillingAccount, isUnlocked, type Payment } from '../billing-accounts/billing-account.js';
import { AppError } from '../platform/errors/app-error.js';
import type { PaymentSnapshot, ProviderName } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import type { SessionService } from '../sessions/session.service.js';

export interface PurchaseOwner {
  readonly userId: string;
  readonly isGuest: boolean;
  hold(manager: EntityManager): Promise<void>;
}

export const ownerOf = (caller: Caller, sessions: SessionService): PurchaseOwner => ({
  userId: caller.userId,
  isGuest: caller.isGuest,
  hold: (manager) => sessions.hold(manager, caller),
});

/** @throws AppError `exports.already_unlocked` */
export function rejectUnlocked(account: BillingAccount, taskId: string): void {
  if (isUnlocked(account, taskId)) throw new AppError('exports.already_unlocked');
}

export const isSameCharge = (payment: Payment, draft: Payment): boolean =>
  draft.providerId !== null && payment.provider === draft.provider && payment.providerId === draft.providerId;

export const isSameOrder = (payment: Payment, draft: Payment): boolean =>
  payment.status === 'pending' &&
  payment.provider === draft.provider &&
  payment.priceId === draft.priceId &&
  payment.amountCents === draft.amountCents &&
  payment.taskId === draft.taskId &&
  draft.providerId === null;

/** @throws AppError `payments.mismatch`, `payments.not_paid` */
export function acceptCharge(
  charges: readonly Pick<PaymentSnapshot, 'amountCents' | 'currency'>[],
  price: PackPrice,
  snapshot: PaymentSnapshot,
): void {
  const isRight = charges.every(
    ({ amountCents, currency }) => amountCents === price.amountCents && currency === price.currency,
  );
  if (!isRight) throw new AppError('payments.mismatch');
  if (snapshot.status !== 'approved' && snapshot.status !== 'succeeded') throw new AppError('payments.not_paid');
}

interface PaymentSource {
  readonly provider: ProviderName;
  readonly providerId?: string;
  readonly customerId?: string;
  readonly payerEmail?: string | null;
}

/** A guest's download is valid for one task, an account's for any. */
export const newPayment = (
  caller: Pick<PurchaseOwner, 'userId' | 'isGuest'>,
  price: PackPrice,
  taskId: string | null | undefined,
  { provider, providerId = undefined, customerId = undefined, payerEmail = null }: PaymentSource,
): Payment => ({
  id: randomUUID(),
  userId: caller.userId,
  provider,
  providerId: providerId ?? null,
  customerId: customerId ?? null,
  priceId: price.id,
  exports: price.exports,
  amountCents: price.amountCents,
  currency: price.currency,
  taskId: caller.isGuest ? (taskId ?? null) : null,
  status: 'pending',
  refundedCents: 0,
  isDisputed: false,
  isDuplicate: false,
  payerEmail,
  readNo: 0,
  createdAt: new Date(),
  settledAt: null,
});
