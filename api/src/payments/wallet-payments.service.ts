import {
  type Checkout,
  type CreditBalance,
  PACK_EXPORTS,
  PACKS,
  type PackPrice,
  type PlanPrice,
  packPriceOf,
  priceOf,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { isUniqueViolation } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { CardProvider, type PaymentSnapshot, WalletProvider } from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { CheckoutRepository, type CheckoutRow } from './checkout.repository.js';
import { creditBalanceOf, newPayment, ownerOf, type PurchaseOwner, PurchasesService } from './purchases.service.js';

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

/** Payments by wallet, which the payer approves there and which are captured here. */
@Injectable()
export class WalletPaymentsService {
  constructor(
    private readonly purchases: PurchasesService,
    private readonly repository: AccountRepository,
    private readonly checkouts: CheckoutRepository,
    private readonly sync: ProviderSync,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
    private readonly sessions: SessionService,
  ) {}

  /** Opens the wallet's buttons in the browser, or with a return address its page. */
  async open(
    caller: Caller,
    { id, trial, taskId, unlockedExports, version, customId }: CheckoutRow,
    price: PackPrice | PlanPrice,
    returnUrl: string | null,
  ): Promise<Checkout> {
    if (customId === null) throw new Error('a checkout by wallet without a custom_id');
    if (price.kind === 'pack') {
      await this.purchases.requirePayable(caller, price, { clientTaskId: taskId, unlockedExports, version });
    }
    const planId = price.kind === 'plan' ? this.planOf(price, trial) : null;
    if (returnUrl === null) return { kind: 'paypal', planId, customId };
    const { amountCents, currency } = price;
    const approval = { planId, amountCents, currency, customId, returnUrl, key: `approval:${id}` };
    return { kind: 'redirect', url: await this.wallet.approvalPage(approval) };
  }

  private planOf({ id }: PlanPrice, trial: boolean): string {
    const { withTrial, withoutTrial } = this.prices.walletPlansOf(id);
    const planId = trial ? withTrial : withoutTrial;
    if (!planId) throw new AppError('prices.not_for_sale');
    return planId;
  }

  async recordCharge(caller: Caller, order: ChargeOrder): Promise<CreditBalance> {
    const pack = PACKS.find((name) => PACK_EXPORTS[name] === order.unlockedExports);
    if (!pack) throw new AppError('billing.exports_mismatch');
    const price = packPriceOf(pack, order.currency);
    const known = await this.repository.findPayment({ provider: this.wallet.name, providerId: order.chargeId });
    if (known && known.userId !== caller.userId) throw new AppError('payments.not_found');
    if (known) return creditBalanceOf(await this.sync.payment(known.id));
    await this.purchases.requirePack(caller, price, order);
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
    await this.purchases.requirePack(owner, price, { clientTaskId: taskId, unlockedExports, version });
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
    const payment = await this.purchases.order(owner, draft, taskId).catch((error: unknown) => {
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

/** @throws AppError `payments.mismatch`, `payments.not_paid` */
function acceptCharge(
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
