import {
  type CreditBalance,
  mayBuy,
  NEW_GUEST,
  PACK_EXPORTS,
  PACKS,
  type PackPrice,
  packPriceOf,
  priceOf,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import type { Payment } from '../billing-accounts/billing-account.js';
import { BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { billingStateOf } from '../billing-accounts/entitlements.js';
import { isUniqueViolation } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { PurchaseRules } from '../prices/purchase-rules.js';
import { ProviderSync, type SyncedPayment } from '../provider-sync/provider-sync.js';
import { RefusedApprovals } from '../provider-sync/refused-approvals.js';
import { CardProvider, type PaymentSnapshot, WalletProvider } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { TasksService } from '../tasks/tasks.service.js';
import { CheckoutRepository, type CheckoutRow } from './checkout.repository.js';
import {
  acceptCharge,
  isSameCharge,
  isSameOrder,
  newPayment,
  ownerOf,
  type PurchaseOwner,
  rejectUnlocked,
} from './purchase-order.js';

export interface PackOrder {
  readonly clientTaskId?: string | null;
  readonly unlockedExports: number;
  readonly version?: string | null;
}

interface ChargeOrder {
  readonly chargeId: string;
  readonly amountCents: number;
  readonly currency: 'usd' | 'eur';
  readonly clientTaskId?: string | null;
  readonly paypalEmailAddress?: string | null;
  readonly unlockedExports: number;
}

interface ApprovedOrder {
  readonly chargeId: string;
  readonly taskId: string | null | undefined;
  readonly payerEmail: string | null;
}

@Injectable()
export class PurchasesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: AccountRepository,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly rules: PurchaseRules,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly checkouts: CheckoutRepository,
    private readonly refused: RefusedApprovals,
    private readonly sessions: SessionService,
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
      flags: await this.rules.flagsFor(caller.userId, order.version),
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

  async recordCharge(caller: Caller, order: ChargeOrder): Promise<CreditBalance> {
    const pack = PACKS.find((name) => PACK_EXPORTS[name] === order.unlockedExports);
    if (!pack) throw new AppError('billing.exports_mismatch');
    const price = packPriceOf(pack, order.currency);
    const known = await this.repository.findPayment({ provider: this.wallet.name, providerId: order.chargeId });
    if (known && known.userId !== caller.userId) throw new AppError('payments.not_found');
    if (known) return creditBalanceOf(await this.sync.payment(known.id));
    await this.requirePack(caller, price, order);
    const snapshot = await this.wallet.readPayment(order.chargeId);
    if (!snapshot || !(await this.checkouts.isOwn(snapshot.reference, caller))) {
      throw new AppError('payments.not_found');
    }
    acceptCharge([order, snapshot], price, snapshot);
    const { clientTaskId: taskId, paypalEmailAddress } = order;
    const payerEmail = paypalEmailAddress || null;
    return this.record(ownerOf(caller, this.sessions), price, { taskId, payerEmail, chargeId: order.chargeId });
  }

  /**
   * Captures an order approved for a checkout. Idempotent.
   * @throws AppError as {@link recordCharge}
   */
  async fulfill(owner: PurchaseOwner, checkout: CheckoutRow, snapshot: PaymentSnapshot): Promise<CreditBalance> {
    const price = priceOf(checkout.priceId);
    if (price?.kind !== 'pack') throw new AppError('payments.mismatch');
    const { taskId, unlockedExports, version } = checkout;
    await this.requirePack(owner, price, { clientTaskId: taskId, unlockedExports, version });
    acceptCharge([snapshot], price, snapshot);
    return this.record(owner, price, { taskId, payerEmail: snapshot.payerEmail, chargeId: snapshot.id });
  }

  private async record(
    owner: PurchaseOwner,
    price: PackPrice,
    { taskId, payerEmail, chargeId: providerId }: ApprovedOrder,
  ): Promise<CreditBalance> {
    if (taskId) await this.closeCardAttempts(owner.userId, taskId);
    const draft = newPayment(owner, price, taskId, { provider: this.wallet.name, providerId, payerEmail });
    const payment = await this.order(owner, draft, taskId).catch((error: unknown) => {
      if (isUniqueViolation(error, 'payments_provider_provider_id_key')) throw new AppError('payments.not_found');
      throw error;
    });
    return creditBalanceOf(await this.sync.payment(payment.id));
  }

  /** A card that paid first is found, and none can pay while the wallet is charged. */
  private async closeCardAttempts(userId: string, taskId: string): Promise<void> {
    const attempts = await this.repository.findPayments({
      userId,
      taskId,
      provider: this.cards.name,
      status: 'pending',
    });
    for (const { id, providerId } of attempts) {
      if (providerId === null) continue;
      await this.cards.cancelPayment(providerId, `cancel:${id}`);
      await this.sync.payment(id);
    }
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
