import { PRICES, priceOf } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { ProviderPrices } from '../../port/payment-provider.js';

const PRICE = 'sbx_price_';
const PLAN = 'sbx_plan_';
const WITH_TRIAL = '_ft';

const planIdOf = (price: string): string => `${PLAN}${price}`;
const trialPlanIdOf = (price: string): string => `${PLAN}${price}${WITH_TRIAL}`;

/** Undefined for an unknown plan. */
export function walletPlanOf(planId: string): { readonly price: string; readonly hasTrial: boolean } | undefined {
  const plan = PRICES.find(({ id, kind }) => kind === 'plan' && [planIdOf(id), trialPlanIdOf(id)].includes(planId));
  return plan && { price: plan.id, hasTrial: planId === trialPlanIdOf(plan.id) };
}

/** Catalogue id of a card price or wallet plan. */
export const priceNameOf = (providerId: string): string | undefined =>
  providerId.startsWith(PRICE) ? priceOf(providerId.slice(PRICE.length))?.id : walletPlanOf(providerId)?.price;

/** Catalogue ids with a prefix and suffix. */
@Injectable()
export class SandboxPrices extends ProviderPrices {
  override idOf(price: string): string {
    if (!priceOf(price)) throw new Error(`no price is called ${price}`);
    return `${PRICE}${price}`;
  }

  override readonly priceOf = priceNameOf;

  override walletPlansOf(price: string): { readonly withTrial: string | null; readonly withoutTrial: string | null } {
    const hasPlans = priceOf(price)?.kind === 'plan';
    return {
      withTrial: hasPlans ? trialPlanIdOf(price) : null,
      withoutTrial: hasPlans ? planIdOf(price) : null,
    };
  }
}
