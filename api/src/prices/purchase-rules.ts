import {
  mayBuy,
  type PurchaseDecision,
  type PurchaseKind,
  type PurchaseRequest,
  type SalesFlags,
  withVersion,
} from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { BillingAccount } from '../billing-accounts/billing-account.js';
import { buyerOf } from '../billing-accounts/buyer.js';
import { VisitorFlags } from '../experiments/experiments.service.js';
import { AppError } from '../platform/errors/app-error.js';

export type AllowedPurchase = Extract<PurchaseDecision, { isAllowed: true }>;

export type PurchaseOrder = Omit<PurchaseRequest, 'buyer' | 'isCountryBlocked'>;

export const isPlanChange = (kind: PurchaseKind): boolean => kind === 'upgrade' || kind === 'change_period';

@Injectable()
export class PurchaseRules {
  constructor(private readonly flags: VisitorFlags) {}

  async flagsFor(userId: string, version: string | null | undefined): Promise<SalesFlags> {
    return withVersion(await this.flags.ofUser(userId), version);
  }
}

export function requireMayBuy(
  account: BillingAccount,
  isGuest: boolean,
  now: Date,
  order: PurchaseOrder,
): AllowedPurchase {
  const buyer = buyerOf(account, isGuest, now);
  const decision = mayBuy({ ...order, buyer, isCountryBlocked: false });
  if (decision.isAllowed) return decision;
  const details =
    decision.code === 'billing.forfeit_unconfirmed' ? { available_credits: buyer.availableCredits } : undefined;
  throw new AppError(decision.code, { details });
}
