import {
  type CataloguePrice,
  type IntroPrice,
  introPriceOf,
  mayBuy,
  type PackPrice,
  type PlanPrice,
  type PurchaseDecision,
  type PurchaseKind,
  type PurchaseRequest,
  type SalesFlags,
  withVersion,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { BillingAccount } from '../billing-accounts/billing-account.js';
import { buyerOf } from '../billing-accounts/entitlements.js';
import { VisitorFlags } from '../experiments/experiments.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import type { Caller } from '../sessions/caller.js';

export function requireLogin({ isGuest }: Caller): void {
  if (isGuest) throw new AppError('billing.login_required');
}

/** What each buyer may order: finds prices by the ids of requests. Former prices are found, but not for sale. */
@Injectable()
export class Offers {
  constructor(
    private readonly prices: ProviderPrices,
    private readonly flags: VisitorFlags,
  ) {}

  async flagsFor(userId: string, version: string | null | undefined): Promise<SalesFlags> {
    return withVersion(await this.flags.ofUser(userId), version);
  }

  /** @throws AppError `prices.not_found`, `prices.not_for_sale` */
  pack(priceId: string): PackPrice {
    const price = this.find(priceId);
    if (price.kind !== 'pack' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return price;
  }

  /** @throws AppError `prices.not_found`, `prices.not_for_sale` */
  plan(priceId: string): PlanPrice {
    const price = this.find(priceId);
    if (price.kind !== 'plan' || price.isDeprecated) throw new AppError('prices.not_for_sale');
    return price;
  }

  /**
   * Includes former prices, whose open invoices can still be paid.
   * @throws AppError `prices.not_found`, `prices.not_for_sale`
   */
  planOrFormer(priceId: string): PlanPrice {
    const price = this.find(priceId);
    if (price.kind !== 'plan') throw new AppError('prices.not_for_sale');
    return price;
  }

  /** @throws AppError `prices.not_for_sale` when it does not lead to the plan's price */
  intro(priceId: string | null | undefined, planPrice: PlanPrice): IntroPrice | null {
    if (!priceId) return null;
    const price = introPriceOf(planPrice.id);
    if (!price || this.find(priceId).id !== price.id) throw new AppError('prices.not_for_sale');
    return price;
  }

  /** @throws AppError `prices.not_found` */
  find(priceId: string): CataloguePrice {
    const price = this.prices.findPrice(priceId);
    if (!price) throw new AppError('prices.not_found');
    return price;
  }
}

export const isPlanChange = (kind: PurchaseKind): boolean => kind === 'upgrade' || kind === 'change_period';

export function requireMayBuy(
  account: BillingAccount,
  isGuest: boolean,
  now: Date,
  order: Omit<PurchaseRequest, 'buyer' | 'isCountryBlocked'>,
): Extract<PurchaseDecision, { isAllowed: true }> {
  const buyer = buyerOf(account, isGuest, now);
  const decision = mayBuy({ ...order, buyer, isCountryBlocked: false });
  if (decision.isAllowed) return decision;
  const details =
    decision.code === 'billing.forfeit_unconfirmed' ? { available_credits: buyer.availableCredits } : undefined;
  throw new AppError(decision.code, { details });
}
