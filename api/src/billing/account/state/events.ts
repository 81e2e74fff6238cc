import type { PaymentSnapshot, SubscriptionSnapshot } from '../../providers/port/payment-provider.js';
import type { Payment, Subscription } from './billing-account.js';

/**
 * What can happen to an account. Everything that any provider says, and everything that callers do, comes down to these.
 * `at` is billing time. `readNo` counts readings of the providers: a reading that began later is the better one.
 */
export type BillingEvent =
  | { readonly kind: 'payment_ordered'; readonly payment: Payment }
  | { readonly kind: 'payment_announced'; readonly paymentId: string; readonly providerId: string }
  | {
      readonly kind: 'payment_synced';
      readonly paymentId: string;
      readonly snapshot: PaymentSnapshot;
      readonly readNo: number;
      readonly at: Date;
    }
  | { readonly kind: 'subscription_ordered'; readonly subscription: Subscription; readonly fingerprint: string | null }
  | {
      readonly kind: 'subscription_synced';
      readonly subscriptionId: string;
      readonly snapshot: SubscriptionSnapshot;
      /** The catalogue's name of the price; null for one that is not ours, which changes nothing. */
      readonly priceId: string | null;
      readonly readNo: number;
      readonly at: Date;
    }
  | {
      /** Another card is about to pay the first invoice; what is forfeited is agreed to once more. */
      readonly kind: 'subscription_reordered';
      readonly subscriptionId: string;
      readonly forfeitCredits: number;
    }
  | { readonly kind: 'subscription_abandoned'; readonly subscriptionId: string; readonly at: Date }
  | { readonly kind: 'upgrade_previewed'; readonly subscriptionId: string; readonly at: Date }
  | {
      readonly kind: 'export_reserved';
      readonly id: string;
      readonly taskId: string;
      readonly isFree: boolean;
      readonly at: Date;
    }
  | { readonly kind: 'export_committed'; readonly taskId: string }
  | { readonly kind: 'export_released'; readonly taskId: string; readonly at: Date }
  | {
      readonly kind: 'gift_redeemed';
      readonly id: string;
      readonly codeId: string;
      /** The time that the code gives, in milliseconds. */
      readonly durationMs: number;
      readonly at: Date;
    }
  /** A guest's rows have become this account's. */
  | { readonly kind: 'guest_merged'; readonly at: Date }
  | {
      readonly kind: 'mobile_linked';
      readonly id: string;
      readonly oracleBackendId: string;
      /** Null where the app's subscription has no end that we know of. */
      readonly currentPeriodEnd: Date | null;
      readonly at: Date;
    };
