import { type ErrorCode, priceOf, type SubscriptionStarted, TRIAL_DAYS } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../identity/caller/caller.js';
import { SessionService } from '../../identity/sessions/session.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type AccountChange, BillingAccounts } from '../account/billing-accounts.js';
import type { Subscription } from '../account/state/billing-account.js';
import { hasOpenInvoice, isOpen } from '../account/state/entitlements.js';
import { Offers, requireLogin } from '../catalogue/offers.js';
import { PurchaseRules } from '../catalogue/purchase-rules.js';
import {
  CardProvider,
  PaymentDeclined,
  ProviderPrices,
  type SubscriptionSnapshot,
  WalletProvider,
} from '../providers/port/payment-provider.js';
import { isUniqueViolation, mapProviderErrors } from '../providers/port/provider-errors.js';
import { CheckoutRepository } from '../purchases/checkout.repository.js';
import { ownerOf, type PurchaseOwner } from '../purchases/purchase-owner.js';
import { CustomersService } from '../sync/customers.service.js';
import { ProviderSync } from '../sync/provider-sync.js';
import { RefusedApprovals } from '../sync/refused-approvals.js';
import { decideOrder, newSubscription, type OrderDecision, type SubscriptionOrder } from './subscription-order.js';

interface CardOrder {
  readonly paymentMethodId: string;
  readonly priceId: string;
  readonly trial: boolean;
  readonly unlockedExports: number;
  readonly introPriceId?: string | null;
  readonly version?: string | null;
}

type CardSubscriptionOrder = SubscriptionOrder & { readonly paymentMethodId: string };

interface OrderTerms {
  /** Of the payment method, where the provider tells. */
  readonly fingerprint: string | null;
  /** `version` of the page's address. */
  readonly version?: string | null;
}

interface Ordered {
  readonly subscription: Subscription;
  /** Its open invoice is to be paid with the order's card. */
  readonly paysAgain: boolean;
}

/** Each round sees what the one before has changed at the provider; two tabs at work need three. */
const MAX_ROUNDS = 3;

interface WalletOrder {
  readonly subscriptionId: string;
  readonly unlockedExports: number;
  readonly version?: string | null;
}

/** Beginning a subscription. */
@Injectable()
export class SubscribingService {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly rules: PurchaseRules,
    private readonly customers: CustomersService,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
    private readonly prices: ProviderPrices,
    private readonly checkouts: CheckoutRepository,
    private readonly refused: RefusedApprovals,
    private readonly sessions: SessionService,
  ) {}

  /**
   * By card. An open invoice of the same price is paid with the new card; a subscription to another price that was never
   * paid is voided first.
   * @throws AppError as `decideOrder`, and `payments.method_not_usable`
   */
  async byCard(caller: Caller, body: CardOrder): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const price = this.offers.planOrFormer(body.priceId);
    const intro = this.offers.intro(body.introPriceId, price);
    if (intro && body.trial) throw new AppError('billing.intro_unavailable');
    const customerId = await this.customers.ensure(caller.userId);
    const method = await mapProviderErrors(this.cards.readPaymentMethod(body.paymentMethodId));
    if (method?.customerId !== customerId) throw new AppError('payments.method_not_usable');
    const order = {
      provider: 'stripe',
      providerId: null,
      customerId,
      price,
      intro,
      paymentMethodId: method.id,
      trial: body.trial,
      forfeitCredits: body.unlockedExports,
    } as const satisfies SubscriptionOrder;
    const owner = ownerOf(caller, this.sessions);
    return started(await this.carryOut(owner, order, { fingerprint: method.fingerprint, version: body.version }));
  }

  private async carryOut(
    owner: PurchaseOwner,
    order: CardSubscriptionOrder,
    terms: OrderTerms,
  ): Promise<AccountChange<Subscription> | null> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const { subscription, paysAgain } = await this.order(owner, order, terms);
      const changed = paysAgain
        ? await this.payOpenInvoice(subscription, order.paymentMethodId)
        : await (subscription.providerId ? this.sync.subscription(subscription.id) : this.create(subscription));
      // Decided on what was known before: it has expired since, or turns out to be unpaid.
      const isOutdated = paysAgain
        ? changed && !isOpen(changed.result)
        : changed && hasOpenInvoice(changed.result) && subscription.paymentMethodId !== order.paymentMethodId;
      if (!isOutdated) return changed;
    }
    throw new AppError('subscriptions.exists');
  }

  /** A key per period and card: two clicks with one card make the same call, and an invoice is paid once anyway. */
  private async payOpenInvoice(
    { id, providerId, currentPeriodStart }: Subscription,
    paymentMethodId: string,
  ): Promise<AccountChange<Subscription> | null> {
    if (!providerId) throw new Error(`no invoice of a subscription that the provider has not made: ${id}`);
    const readNo = await this.sync.nextReadNo();
    const key = `pay:${id}:${currentPeriodStart?.toISOString()}:${paymentMethodId}`;
    const snapshot = await mapProviderErrors(
      this.cards.payOpenInvoice({ subscriptionId: providerId, paymentMethodId, key }),
    );
    return this.sync.applySubscription(id, snapshot, readNo);
  }

  /** The row is there before the provider is asked: whatever breaks off from here on is found by it. */
  private async order(owner: PurchaseOwner, order: SubscriptionOrder, terms: OrderTerms): Promise<Ordered> {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const { kind, subscription } = await this.decide(owner, order, terms);
      if (kind !== 'void') return { subscription, paysAgain: kind === 'pay' };
      await this.voidIncomplete(subscription);
    }
    throw new AppError('subscriptions.exists');
  }

  private async decide(owner: PurchaseOwner, order: SubscriptionOrder, { fingerprint, version }: OrderTerms) {
    const flags = await this.rules.flagsFor(version);
    const deciding = this.accounts.change<{ kind: OrderDecision['kind']; subscription: Subscription }>(
      owner.userId,
      (account, now) => {
        const decision = decideOrder(account, order, now, flags);
        switch (decision.kind) {
          case 'create': {
            const subscription = newSubscription(owner.userId, order, now);
            const result = { kind: decision.kind, subscription };
            return { events: [{ kind: 'subscription_ordered', subscription, fingerprint }], result };
          }
          case 'pay': {
            const { forfeitCredits } = order;
            const subscriptionId = decision.subscription.id;
            return { events: [{ kind: 'subscription_reordered', subscriptionId, forfeitCredits }], result: decision };
          }
          default:
            return { events: [], result: decision };
        }
      },
      {
        before: async (manager) => {
          await owner.hold(manager);
          await this.refused.requireNotRefused(manager, order.providerId);
        },
      },
    );
    const { result } = await deciding.catch((error: unknown) => {
      if (isUniqueViolation(error, 'trial_uses_fingerprint_hash_key')) throw new AppError('billing.trial_unavailable');
      if (isUniqueViolation(error, 'subscriptions_provider_provider_id_key'))
        throw new AppError('subscriptions.not_found');
      throw error;
    });
    return result;
  }

  /** Paid in the meantime, it stays, and the next decision sees it. */
  private async voidIncomplete({ id, providerId }: Subscription): Promise<void> {
    if (!providerId) return;
    const readNo = await this.sync.nextReadNo();
    const snapshot = await mapProviderErrors(this.cards.voidIncompleteSubscription(providerId, `void:${id}`));
    await this.sync.applySubscription(id, snapshot, readNo);
  }

  /** The same row makes the same call with the same key, however often: a second click gets the first one's answer. */
  async create(subscription: Subscription, failIfUnpaid = false): Promise<AccountChange<Subscription> | null> {
    const { id, customerId, paymentMethodId, priceId, introPriceId, asksTrial } = subscription;
    if (!customerId) throw new Error(`a subscription by card without a customer: ${id}`);
    const readNo = await this.sync.nextReadNo();
    const creating = this.cards.createSubscription({
      customerId,
      paymentMethodId,
      priceId: this.prices.idOf(priceId),
      introPriceId: introPriceId && this.prices.idOf(introPriceId),
      trialDays: asksTrial ? TRIAL_DAYS : null,
      reference: id,
      failIfUnpaid,
      key: `subscribe:${id}`,
    });
    const snapshot = await mapProviderErrors(
      creating.catch(async (error: unknown) => {
        if (error instanceof PaymentDeclined) await this.abandon(id);
        throw error;
      }),
    );
    return this.sync.applySubscription(id, snapshot, readNo);
  }

  private abandon(subscriptionId: string): Promise<unknown> {
    return this.accounts.changeOwningAccount('subscriptions', subscriptionId, (_account, at) => ({
      events: [{ kind: 'subscription_abandoned', subscriptionId, at }],
      result: null,
    }));
  }

  /** The payer has made it in the wallet already; here it is looked at and, if all is well, taken on. */
  async byWallet(
    caller: Caller,
    { subscriptionId, unlockedExports, version }: WalletOrder,
  ): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const snapshot = await this.readOwn(caller, subscriptionId);
    const terms = { unlockedExports, version };
    const taking = this.fulfill(ownerOf(caller, this.sessions), snapshot, terms).catch(async (error: unknown) => {
      // With another one running or no trial left it can never be taken on; with credits to lose, it still can.
      const isHopeless =
        error instanceof AppError && ['subscriptions.exists', 'billing.trial_unavailable'].includes(error.code);
      if (isHopeless) await this.refuse(caller.userId, snapshot, error.code);
      throw error;
    });
    return started(await taking);
  }

  /**
   * Takes on a subscription that runs in the wallet; again, it changes nothing.
   * @throws AppError as `decideOrder`, or with the reason for which it was refused before
   */
  async fulfill(
    owner: PurchaseOwner,
    snapshot: SubscriptionSnapshot,
    { unlockedExports, version }: Omit<WalletOrder, 'subscriptionId'>,
  ): Promise<AccountChange<Subscription> | null> {
    const order = this.walletOrder(snapshot, unlockedExports);
    const { fingerprint } = snapshot;
    const { subscription } = await this.order(owner, order, { fingerprint, version });
    return this.sync.subscription(subscription.id);
  }

  private async refuse(userId: string, snapshot: SubscriptionSnapshot, reason: ErrorCode): Promise<void> {
    const priceId = this.prices.priceOf(snapshot.priceId) ?? null;
    const refusal = { priceId, refundCents: snapshot.paidCents, payerEmail: null };
    if (await this.refused.refuse(userId, snapshot.id, reason, refusal)) await this.refused.endAndRefund(snapshot);
  }

  /**
   * @throws AppError `subscriptions.not_found` for one that is unknown, not running, or another user's; the reason of a
   *   refusal for one that was given back
   */
  async readOwn(caller: Caller, providerId: string): Promise<SubscriptionSnapshot> {
    const snapshot = await mapProviderErrors(this.wallet.readSubscription(providerId));
    if (!snapshot || !(await this.checkouts.isOwn(snapshot.reference, caller))) {
      throw new AppError('subscriptions.not_found');
    }
    if (snapshot.status === 'active' || snapshot.status === 'trialing') return snapshot;
    throw new AppError((await this.refused.reasonOf(providerId)) ?? 'payments.declined');
  }

  /** @throws AppError `prices.not_for_sale` for a plan that is not, or no longer, ours */
  walletOrder(snapshot: SubscriptionSnapshot, forfeitCredits: number): SubscriptionOrder {
    const name = this.prices.priceOf(snapshot.priceId);
    const price = name === undefined ? undefined : priceOf(name);
    if (price?.kind !== 'plan' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return {
      provider: 'paypal',
      providerId: snapshot.id,
      customerId: null,
      price,
      intro: null,
      paymentMethodId: null,
      trial: snapshot.trialEnd !== null,
      forfeitCredits,
    };
  }
}

/** @throws AppError `subscriptions.not_found` when nobody owns it any more */
export function started(changed: AccountChange<Subscription> | null): SubscriptionStarted {
  const { status, providerId } = changed?.result ?? { status: null, providerId: null };
  if (!status || !providerId || status === 'pending' || status === 'abandoned') {
    throw new AppError('subscriptions.not_found');
  }
  return { status, subscriptionId: providerId };
}
