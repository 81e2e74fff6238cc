import { randomUUID } from 'node:crypto';
import { type CreditBalance, mayBuy, NEW_GUEST, type PackPrice } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { type BillingAccount, isUnlocked, type Payment } from '../billing-accounts/billing-account.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { billingStateOf } from '../billing-accounts/entitlements.js';
import { AppError } from '../platform/errors/app-error.js';
import { Offers } from '../prices/offers.js';
import type { SyncedPayment } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import type { ProviderName } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { TasksService } from '../tasks/tasks.service.js';

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
function rejectUnlocked(account: BillingAccount, taskId: string): void {
  if (isUnlocked(account, taskId)) throw new AppError('exports.already_unlocked');
}

const isSameCharge = (payment: Payment, draft: Payment): boolean =>
  draft.providerId !== null && payment.provider === draft.provider && payment.providerId === draft.providerId;

const isSameOrder = (payment: Payment, draft: Payment): boolean =>
  payment.status === 'pending' &&
  payment.provider === draft.provider &&
  payment.priceId === draft.priceId &&
  payment.amountCents === draft.amountCents &&
  payment.taskId === draft.taskId &&
  draft.providerId === null;

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

export interface PackOrder {
  readonly clientTaskId?: string | null;
  readonly unlockedExports: number;
  readonly version?: string | null;
}

@Injectable()
export class PurchasesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: AccountRepository,
    private readonly accounts: BillingAccounts,
    private readonly offers: Offers,
    private readonly refused: RefusedApprovals,
    private readonly tasks: TasksService,
  ) {}

  async requirePayable(caller: Caller, price: PackPrice, order: PackOrder): Promise<void> {
    await this.requirePack(caller, price, order);
    const { clientTaskId: taskId } = order;
    if (!taskId) return;
    await this.tasks.checkPayable(this.database.manager, caller.userId, taskId);
    rejectUnlocked(await this.repository.load(caller.userId), taskId);
  }

  /** @throws AppError of `mayBuy`, `billing.exports_mismatch` */
  async requirePack(
    caller: Pick<PurchaseOwner, 'userId' | 'isGuest'>,
    price: PackPrice,
    order: PackOrder,
  ): Promise<void> {
    const decision = mayBuy({
      // Packs don't depend on the rest of the account.
      buyer: { ...NEW_GUEST, isGuest: caller.isGuest },
      price,
      isCountryBlocked: false,
      flags: await this.offers.flagsFor(caller.userId, order.version),
      isForTask: Boolean(order.clientTaskId),
    });
    if (!decision.isAllowed) throw new AppError(decision.code);
    if (order.unlockedExports !== price.exports) throw new AppError('billing.exports_mismatch');
  }

  /** Stores an order before the provider is called, or finds the unpaid one that it repeats. */
  async order(owner: PurchaseOwner, draft: Payment, taskId: string | null | undefined): Promise<Payment> {
    const { result } = await this.accounts.change(
      owner.userId,
      (account) => {
        const reported = account.payments.find((payment) => isSameCharge(payment, draft));
        if (reported) return { events: [], result: reported };
        if (taskId) rejectUnlocked(account, taskId);
        const same = account.payments.find((payment) => isSameOrder(payment, draft));
        return { events: [{ kind: 'payment_ordered', payment: same ?? draft }], result: same ?? draft };
      },
      { before: (manager) => this.checkOrderable(manager, owner, draft.providerId, taskId) },
    );
    return result;
  }

  private async checkOrderable(
    manager: EntityManager,
    owner: PurchaseOwner,
    providerId: string | null,
    taskId: string | null | undefined,
  ): Promise<void> {
    await owner.hold(manager);
    await this.refused.requireNotRefused(manager, providerId);
    if (taskId) await this.tasks.checkPayable(manager, owner.userId, taskId);
  }
}

/** @throws AppError `payments.not_paid`, `payments.mismatch`, `payments.not_found`, `payments.duplicate` */
export function creditBalanceOf(synced: SyncedPayment | null): CreditBalance {
  if (!synced) throw new AppError('payments.not_found');
  if (!synced.isAsOrdered) throw new AppError('payments.mismatch');
  const { status, isDuplicate } = synced.result;
  if (isDuplicate) throw new AppError('payments.duplicate');
  if (status !== 'succeeded') throw new AppError('payments.not_paid');
  return { status, availableCredits: billingStateOf(synced.account).credits };
}
