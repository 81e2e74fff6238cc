import type { Currency } from '@clearframe/contract';
import {
  type KnownSubscription,
  PaymentProvider,
  type PaymentSnapshot,
  type ProviderEvent,
  type SubscriptionSnapshot,
} from './payment-provider.js';

export type Approval = Pick<NonNullable<ProviderEvent['subject']>, 'kind' | 'id'>;

export interface ApprovalRequest {
  readonly planId: string | null;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly customId: string;
  readonly returnUrl: string;
  readonly key: string;
}

/** Payers create subscriptions and orders in the wallet. */
export abstract class WalletProvider extends PaymentProvider {
  override readonly cancelsAtPeriodEnd = false;
  override readonly needsApproval = true;
  /** Where payers manage automatic payments after a login at the wallet. */
  abstract readonly automaticPaymentsUrl: string;
  abstract browserForm(): { readonly clientId: string; readonly scriptUrl: string } | null;
  /**
   * The wallet's own page, on which a payer approves a plan, or a single payment when there is no plan. It leads back to
   * `returnUrl` with `redirect_status` and the wallet's id, in `subscription_id` or `token`.
   */
  abstract approvalPage(approval: ApprovalRequest): Promise<string>;
  /** Captures an approved order once. Returns other states unchanged. */
  abstract capturePayment(id: string, key: string): Promise<PaymentSnapshot>;
  /**
   * Approvals with a `custom_id` whose return and event were lost. At PayPal: `GET /v1/notifications/webhooks-events`,
   * by the resource's `custom_id`.
   */
  abstract findApprovals(customId: string): Promise<readonly Approval[]>;

  override cancelSubscription({ id }: KnownSubscription, key: string): Promise<SubscriptionSnapshot> {
    return this.endSubscription(id, key);
  }
}
