import type { SubscriptionStarted } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { Subscription } from '../billing-accounts/billing-account.js';
import type { AccountChange } from '../billing-accounts/billing-accounts.js';
import { hasOpenInvoice, isOpen } from '../billing-accounts/entitlements.js';
import { CardPaymentsService } from '../payments/card-payments.service.js';
import { ownerOf, type PurchaseOwner } from '../payments/purchases.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { Offers, requireLogin } from '../prices/offers.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { CardProvider } from '../providers/payment-provider.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import {
  MAX_ATTEMPTS,
  type OrderTerms,
  presentStarted,
  type SubscriptionOrder,
  SubscriptionOrders,
} from './subscription-orders.js';

interface CardRequest {
  readonly paymentMethodId: string;
  readonly priceId: string;
  readonly trial: boolean;
  readonly unlockedExports: number;
  readonly introPriceId?: string | null;
  readonly version?: string | null;
}

type CardOrder = SubscriptionOrder & { readonly paymentMethodId: string };

@Injectable()
export class CardSubscriptionsService {
  constructor(
    private readonly orders: SubscriptionOrders,
    private readonly sync: ProviderSync,
    private readonly offers: Offers,
    private readonly payments: CardPaymentsService,
    private readonly cards: CardProvider,
    private readonly sessions: SessionService,
  ) {}

  /**
   * Pays the open invoice of a subscription to the same price with the new card; voids an unpaid one to another price
   * first.
   * @throws AppError as `decideOrder`; `payments.method_not_usable`
   */
  async subscribe(caller: Caller, body: CardRequest): Promise<SubscriptionStarted> {
    requireLogin(caller);
    const price = this.offers.planOrFormer(body.priceId);
    const intro = this.offers.intro(body.introPriceId, price);
    if (intro && body.trial) throw new AppError('billing.intro_unavailable');
    const customerId = await this.payments.ensureCustomer(caller.userId);
    const method = await this.cards.readPaymentMethod(body.paymentMethodId);
    if (method?.customerId !== customerId) throw new AppError('payments.method_not_usable');
    const order: CardOrder = {
      provider: this.cards.name,
      providerId: null,
      customerId,
      price,
      intro,
      paymentMethodId: method.id,
      trial: body.trial,
      forfeitCredits: body.unlockedExports,
    };
    const owner = ownerOf(caller, this.sessions);
    return presentStarted(await this.execute(owner, order, { fingerprint: method.fingerprint, version: body.version }));
  }

  private async execute(
    owner: PurchaseOwner,
    order: CardOrder,
    terms: OrderTerms,
  ): Promise<AccountChange<Subscription> | null> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { subscription, paysOpenInvoice } = await this.orders.place(owner, order, terms);
      const change = paysOpenInvoice
        ? await this.orders.payOpenInvoice(subscription, order.paymentMethodId)
        : await this.createOrSync(subscription);
      if (!change || !isOutdated(subscription, change.result, paysOpenInvoice ? null : order)) return change;
    }
    throw new AppError('subscriptions.exists');
  }

  private createOrSync(subscription: Subscription): Promise<AccountChange<Subscription> | null> {
    return subscription.providerId ? this.sync.subscription(subscription.id) : this.orders.create(subscription);
  }
}

/**
 * Whether the decision was based on old state: the existing subscription has ended since, or is unpaid with another
 * payment method. `creating` is null where the open invoice was paid: declined once more, it is no old state.
 */
const isOutdated = (decided: Subscription, current: Subscription, creating: CardOrder | null): boolean =>
  (decided.providerId !== null && !isOpen(current)) ||
  (creating !== null && hasOpenInvoice(current) && decided.paymentMethodId !== creating.paymentMethodId);
