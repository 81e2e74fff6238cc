import { inMilliseconds, priceOf, TRIAL_DAYS } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import type { ProviderName, SubscriptionSnapshot } from '../../port/payment-provider.js';
import { newId } from '../core/ids.js';
import { Agreement, Customer, Method } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, type LedgerTransaction, SandboxLedger } from '../core/ledger.js';
import { billFirst, end, later, periodEndOf, planOf, save, subjectOf } from './agreement-lifecycle.js';
import { chargesOf, inPeriod, refund } from './charges.js';
import { priceNameOf, walletPlanOf } from './sandbox-prices.js';
import { subscriptionSnapshot } from './snapshots.js';

export interface SubscriptionOrder {
  readonly customerId: string;
  readonly paymentMethodId: string | null;
  readonly priceId: string;
  readonly introPriceId: string | null;
  readonly trialDays: number | null;
  readonly reference: string;
  readonly failIfUnpaid: boolean;
}

type BeginResult = { readonly id: string } | { readonly declined: string };

/** Of any provider when none is given. */
export const findAgreement = (manager: EntityManager, id: string, provider?: ProviderName): Promise<Agreement | null> =>
  manager.findOneBy(Agreement, { id, ...(provider ? { provider } : {}) });

/** Requested changes. Scheduled ones are in `agreement-lifecycle`. */
@Injectable()
export class SandboxAgreements {
  constructor(private readonly ledger: SandboxLedger) {}

  /** Null for an unknown id. */
  snapshotOf(id: string, provider: ProviderName): Promise<SubscriptionSnapshot | null> {
    return this.ledger.read(async (manager) => {
      const agreement = await findAgreement(manager, id, provider);
      return agreement && subscriptionSnapshot(manager, agreement);
    });
  }

  /** @throws InvalidSandboxRequest for an unknown id */
  async requireSnapshot(id: string, provider: ProviderName): Promise<SubscriptionSnapshot> {
    const snapshot = await this.snapshotOf(id, provider);
    if (!snapshot) throw new InvalidSandboxRequest('no such subscription');
    return snapshot;
  }

  /** Subscribes by card. @returns the id, or the reason of a failed first charge with `failIfUnpaid` */
  begin(order: SubscriptionOrder, key: string): Promise<BeginResult> {
    return this.ledger.once(key, 'subscribe', { ...order }, async (tx) => {
      await this.check(tx, order);
      const paymentMethodId = order.paymentMethodId ?? (await defaultMethodOf(tx.manager, order.customerId));
      const agreement = draft(tx, {
        provider: 'stripe',
        customerId: order.customerId,
        reference: order.reference,
        priceId: order.priceId,
        introPriceId: order.introPriceId,
        paymentMethodId,
        trialDays: order.trialDays,
      });
      if (agreement.status === 'trialing') return save(tx, agreement, 'created').then(idOf);
      const failure = await billFirst(tx, agreement);
      if (failure !== null && order.failIfUnpaid) return { declined: failure };
      agreement.status = failure === null ? 'active' : 'incomplete';
      return save(tx, agreement, 'created', failure === null ? 'paid' : 'unpaid').then(idOf);
    });
  }

  /** Approves a plan in the wallet. Charged at once unless it starts with a trial. */
  beginByWallet(planId: string, customId: string): Promise<string> {
    return this.ledger.transact(async (tx) => {
      const plan = walletPlanOf(planId);
      if (!plan) throw new InvalidSandboxRequest(`no plan of the wallet: ${planId}`);
      const method = newMethod(tx, { customerId: null, fingerprint: null });
      await tx.manager.insert(Method, method);
      const agreement = draft(tx, {
        provider: 'paypal',
        customerId: null,
        reference: customId,
        priceId: planId,
        introPriceId: null,
        paymentMethodId: method.id,
        trialDays: plan.hasTrial ? TRIAL_DAYS : null,
      });
      const isTrial = agreement.status === 'trialing';
      if (!isTrial) {
        await billFirst(tx, agreement);
        agreement.status = 'active';
      }
      await (isTrial ? save(tx, agreement, 'created') : save(tx, agreement, 'created', 'paid'));
      return agreement.id;
    });
  }

  setCancelAtPeriodEnd(id: string, cancel: boolean, key?: string): Promise<string> {
    const change = async (tx: LedgerTransaction): Promise<string> => {
      const agreement = await this.requireRunning(tx, id, 'stripe');
      if (agreement.status === 'incomplete')
        throw new InvalidSandboxRequest('an incomplete subscription can only be ended');
      if (agreement.cancelAtPeriodEnd === cancel) return id;
      agreement.cancelAtPeriodEnd = cancel;
      agreement.canceledAt = cancel ? tx.now : null;
      await save(tx, agreement, 'updated');
      return id;
    };
    return key === undefined
      ? this.ledger.transact(change)
      : this.ledger.once(key, 'cancel_at_period_end', { id, cancel }, change);
  }

  /** Idempotent. */
  endNow(id: string, provider: ProviderName, key: string): Promise<string> {
    return this.ledger.once(key, 'end', { id }, async (tx) => {
      const agreement = await this.requireAgreement(tx, id, provider);
      if (agreement.endedAt) return id;
      end(agreement, tx.now);
      await save(tx, agreement, 'ended');
      return id;
    });
  }

  /** Of the current period's payment. @returns the refunded cents */
  refund(id: string, provider: ProviderName, amountCents: number, key: string): Promise<number> {
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
      throw new InvalidSandboxRequest('the refund must be positive');
    return this.ledger.once(key, 'refund', { id, amountCents }, async (tx) => {
      const agreement = await this.requireAgreement(tx, id, provider);
      const paid = inPeriod(await chargesOf(tx.manager, id), agreement.currentPeriodStart);
      return refund(tx, paid, amountCents, subjectOf(agreement));
    });
  }

  private async check({ manager }: LedgerTransaction, order: SubscriptionOrder): Promise<void> {
    const plan = planOf(order.priceId);
    if (!(await manager.existsBy(Customer, { id: order.customerId })))
      throw new InvalidSandboxRequest('no such customer');
    if (order.introPriceId !== null) {
      const intro = priceOf(priceNameOf(order.introPriceId) ?? '');
      if (intro?.kind !== 'intro' || intro.planPriceId !== plan.id)
        throw new InvalidSandboxRequest('no intro price of this price');
      if (order.trialDays !== null) throw new InvalidSandboxRequest('an intro price and a trial at once');
    }
    if (order.paymentMethodId === null) return;
    const method = await manager.findOneBy(Method, { id: order.paymentMethodId });
    if (method?.customerId !== order.customerId)
      throw new InvalidSandboxRequest('not a payment method of this customer');
  }

  private async requireAgreement(
    { manager }: LedgerTransaction,
    id: string,
    provider: ProviderName,
  ): Promise<Agreement> {
    const agreement = await findAgreement(manager, id, provider);
    if (!agreement) throw new InvalidSandboxRequest('no such subscription');
    return agreement;
  }

  private async requireRunning(tx: LedgerTransaction, id: string, provider: ProviderName): Promise<Agreement> {
    const agreement = await this.requireAgreement(tx, id, provider);
    if (agreement.endedAt) throw new InvalidSandboxRequest('this subscription has ended');
    return agreement;
  }
}

/** That of the running subscription. */
async function defaultMethodOf(manager: EntityManager, customerId: string): Promise<string | null> {
  const running = await manager.find(Agreement, {
    where: { customerId, endedAt: IsNull() },
    order: { createdAt: 'DESC' },
  });
  return running.find(({ paymentMethodId }) => paymentMethodId !== null)?.paymentMethodId ?? null;
}

const idOf = ({ id }: Agreement): { id: string } => ({ id });

/** Charges succeed without a decline code. */
export const newMethod = (
  { now }: LedgerTransaction,
  method: Pick<Method, 'customerId' | 'fingerprint'> & Partial<Pick<Method, 'declineCode'>>,
): Method => ({ id: newId('pm'), declineCode: null, createdAt: now, ...method });

type Terms = Pick<
  Agreement,
  'provider' | 'customerId' | 'reference' | 'priceId' | 'introPriceId' | 'paymentMethodId'
> & { readonly trialDays: number | null };

/** In its trial, or before its first charge. */
function draft({ now }: LedgerTransaction, { trialDays, ...terms }: Terms): Agreement {
  const trialEnd = trialDays === null ? null : later(now, inMilliseconds.days(trialDays));
  return Object.assign(new Agreement(), {
    ...terms,
    id: newId('sub'),
    status: trialEnd ? ('trialing' as const) : ('incomplete' as const),
    createdAt: now,
    currentPeriodStart: now,
    currentPeriodEnd: trialEnd ?? periodEndOf(now, planOf(terms.priceId)),
    trialEnd,
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    noticedFor: null,
    failedAttempts: 0,
    firstFailedAt: null,
    nextAt: null,
  });
}
