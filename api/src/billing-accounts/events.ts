import type { PaymentSnapshot, SubscriptionSnapshot } from '../providers/payment-provider.js';
import type { Payment, Subscription } from './billing-account.js';

/** `at` is billing time. `readNo` numbers readings of providers: the one that started later wins. */
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
      /** Catalogue id; null for an unknown price, which changes nothing. */
      readonly priceId: string | null;
      readonly readNo: number;
      readonly at: Date;
    }
  | {
      /** Another card pays the first invoice; the buyer has agreed again to the forfeited credits. */
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
      readonly durationMs: number;
      readonly at: Date;
    }
  | { readonly kind: 'guest_merged'; readonly at: Date }
  | {
      readonly kind: 'mobile_linked';
      readonly id: string;
      readonly oracleBackendId: string;
      readonly currentPeriodEnd: Date | null;
      readonly at: Date;
    };
