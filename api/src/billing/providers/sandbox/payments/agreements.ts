import { inMilliseconds, priceOf, TRIAL_DAYS } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import type { ProviderName, SubscriptionSnapshot } from '../../port/payment-provider.js';
import { newId } from '../core/ids.js';
import { Agreement, Customer, Method } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, type LedgerTransaction, SandboxLedger } from '../core/ledger.js';
import { billFirst, end, later, periodEndOf, planOf, save, subjectOf } from './agreement-life.js';
import { chargesOf, inPeriod, refund } from './charges.js';
import { priceNameOf, walletPlanOf } from './sandbox-prices.js';
import { subscriptionSnapshot } from './snapshots.js';

/** A subscription as it is ordered. */
export interface SubscriptionOrder {
  readonly customerId: string;
  readonly paymentMethodId: string | null;
  readonly priceId: string;
  readonly introPriceId: string | null;
  readonly trialDays: number | null;
  readonly reference: string;
  readonly failIfUnpaid: boolean;
}

type Begun = { readonly id: string } | { readonly declined: string };

/** A subscription by its id, of one of the companies or of either. */
export const findAgreement = (manager: EntityManager, id: string, provider?: ProviderName): Promise<Agreement | null> =>
  manager.findOneBy(Agreement, { id, ...(provider ? { provider } : {}) });

/** What is done to subscriptions from outside. What happens to them by themselves is in `agreement-life`. */
@Injectable()
export class SandboxAgreements {
  constructor(private readonly ledger: SandboxLedger) {}

  /** A subscription as it is now; null where this part of the company has none of that id. */
  snapshotOf(id: string, provider: ProviderName): Promise<SubscriptionSnapshot | null> {
    return this.ledger.read(async (manager) => {
      const agreement = await findAgreement(manager, id, provider);
      return agreement && subscriptionSnapshot(manager, agreement);
    });
  }

  /** The same for one that is known to be there. */
  async told(id: string, provider: ProviderName): Promise<SubscriptionSnapshot> {
    const snapshot = await this.snapshotOf(id, provider);
    if (!snapshot) throw new InvalidSandboxRequest('no such subscription');
    return snapshot;
  }

  /** Begins a subscription by card. @returns its id, or why the first charge failed where that was not to be */
  begin(order: SubscriptionOrder, key: string): Promise<Begun> {
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

  /** A payer agrees to a plan in their wallet, which is charged there and then unless it begins with a trial. */
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
      const agreement = await this.running(tx, id, 'stripe');
      if (agreement.status === 'incomplete') throw new InvalidSandboxRequest('what is incomplete can only be ended');
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

  /** Ends it at once. One that has ended stays as it is: whoever lost the answer may ask again. */
  endNow(id: string, provider: ProviderName, key: string): Promise<string> {
    return this.ledger.once(key, 'end', { id }, async (tx) => {
      const agreement = await this.known(tx, id, provider);
      if (agreement.endedAt) return id;
      end(agreement, tx.now);
      await save(tx, agreement, 'ended');
      return id;
    });
  }

  /** Gives back part of what was paid for the running period. @returns the cents given back */
  refund(id: string, provider: ProviderName, amountCents: number, key: string): Promise<number> {
    if (!Number.isSafeInteger(amountCents) || amountCents <= 0) throw new InvalidSandboxRequest('a refund of nothing');
    return this.ledger.once(key, 'refund', { id, amountCents }, async (tx) => {
      const agreement = await this.known(tx, id, provider);
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
      if (intro?.kind !== 'intro' || intro.leadsTo !== plan.id)
        throw new InvalidSandboxRequest('no intro to this price');
      if (order.trialDays !== null) throw new InvalidSandboxRequest('an intro price and a trial at once');
    }
    if (order.paymentMethodId === null) return;
    const method = await manager.findOneBy(Method, { id: order.paymentMethodId });
    if (method?.customerId !== order.customerId)
      throw new InvalidSandboxRequest('not a payment method of this customer');
  }

  private async known({ manager }: LedgerTransaction, id: string, provider: ProviderName): Promise<Agreement> {
    const agreement = await findAgreement(manager, id, provider);
    if (!agreement) throw new InvalidSandboxRequest('no such subscription');
    return agreement;
  }

  private async running(tx: LedgerTransaction, id: string, provider: ProviderName): Promise<Agreement> {
    const agreement = await this.known(tx, id, provider);
    if (agreement.endedAt) throw new InvalidSandboxRequest('this subscription has ended');
    return agreement;
  }
}

/** What a customer pays with where nothing was said: the method of the subscription that runs. */
async function defaultMethodOf(manager: EntityManager, customerId: string): Promise<string | null> {
  const running = await manager.find(Agreement, {
    where: { customerId, endedAt: IsNull() },
    order: { createdAt: 'DESC' },
  });
  return running.find(({ paymentMethodId }) => paymentMethodId !== null)?.paymentMethodId ?? null;
}

const idOf = ({ id }: Agreement): { id: string } => ({ id });

/** A payment method that was agreed to; charges succeed unless said otherwise. */
export const newMethod = (
  { now }: LedgerTransaction,
  method: Pick<Method, 'customerId' | 'fingerprint'> & Partial<Pick<Method, 'declineCode'>>,
): Method => ({ id: newId('pm'), declineCode: null, createdAt: now, ...method });

type Terms = Pick<
  Agreement,
  'provider' | 'customerId' | 'reference' | 'priceId' | 'introPriceId' | 'paymentMethodId'
> & { readonly trialDays: number | null };

/** A subscription as it begins: in its trial, or waiting for its first charge. */
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
