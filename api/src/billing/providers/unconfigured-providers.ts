import { notConfigured } from '../../platform/errors/app-error.js';
import { BillingClock, CardProvider, ProviderPrices, WalletProvider } from './port/payment-provider.js';

const refuse = (): never => {
  throw notConfigured('payments');
};
const refuseLater = async (): Promise<never> => refuse();

/** No card provider is configured: every call fails. */
export class UnconfiguredCards extends CardProvider {
  override readonly name = 'stripe';
  override readonly publishableKey = refuse;
  override readonly ensureCustomer = refuseLater;
  override readonly createSetupIntent = refuseLater;
  override readonly readPaymentMethod = refuseLater;
  override readonly createPaymentIntent = refuseLater;
  override readonly createSubscription = refuseLater;
  override readonly payOpenInvoice = refuseLater;
  override readonly voidIncompleteSubscription = refuseLater;
  override readonly listSubscriptions = refuseLater;
  override readonly setCancelAtPeriodEnd = refuseLater;
  override readonly openPortal = refuseLater;
  override readonly readSubscription = refuseLater;
  override readonly readPayment = refuseLater;
  override readonly endSubscription = refuseLater;
  override readonly refundSubscription = refuseLater;
  override readonly readEvent = refuseLater;
}

/** No wallet is configured: every call fails. */
export class UnconfiguredWallet extends WalletProvider {
  override readonly name = 'paypal';
  override get automaticPaymentsUrl(): string {
    return refuse();
  }
  override readonly capturePayment = refuseLater;
  override readonly findApprovals = refuseLater;
  override readonly readSubscription = refuseLater;
  override readonly readPayment = refuseLater;
  override readonly endSubscription = refuseLater;
  override readonly refundSubscription = refuseLater;
  override readonly readEvent = refuseLater;
}

/** No price is sold. */
export class UnconfiguredPrices extends ProviderPrices {
  override readonly idOf = refuse;
  override readonly priceOf = (): undefined => undefined;
  override readonly walletPlansOf = (): { withTrial: null; withoutTrial: null } => ({
    withTrial: null,
    withoutTrial: null,
  });
}

/** The system's time. */
export class SystemClock extends BillingClock {
  override async now(): Promise<Date> {
    return new Date();
  }
}
