import { priceOf } from '@clearframe/contract';
import { notConfigured } from '../platform/errors/app-error.js';
import { BillingClock } from './billing-clock.js';
import { CardProvider } from './card-provider.js';
import { ProviderPrices } from './provider-prices.js';
import { WalletProvider } from './wallet-provider.js';

const throwNotConfigured = (): never => {
  throw notConfigured('payments');
};
const rejectNotConfigured = async (): Promise<never> => throwNotConfigured();

export class UnconfiguredCards extends CardProvider {
  override readonly name = 'stripe';
  override readonly publishableKey = throwNotConfigured;
  override readonly browserForm = (): null => null;
  override readonly createSetupPage = rejectNotConfigured;
  override readonly createPaymentPage = rejectNotConfigured;
  override readonly isPaymentPage = throwNotConfigured;
  override readonly cancelPayment = rejectNotConfigured;
  override readonly ensureCustomer = rejectNotConfigured;
  override readonly createSetupIntent = rejectNotConfigured;
  override readonly readPaymentMethod = rejectNotConfigured;
  override readonly createPaymentIntent = rejectNotConfigured;
  override readonly createSubscription = rejectNotConfigured;
  override readonly payOpenInvoice = rejectNotConfigured;
  override readonly voidIncompleteSubscription = rejectNotConfigured;
  override readonly listSubscriptions = rejectNotConfigured;
  override readonly setCancelAtPeriodEnd = rejectNotConfigured;
  override readonly openPortal = rejectNotConfigured;
  override readonly readSubscription = rejectNotConfigured;
  override readonly readPayment = rejectNotConfigured;
  override readonly endSubscription = rejectNotConfigured;
  override readonly refundSubscription = rejectNotConfigured;
  override readonly refundPayment = rejectNotConfigured;
  override readonly readEvent = rejectNotConfigured;
}

export class UnconfiguredWallet extends WalletProvider {
  override readonly name = 'paypal';
  override get automaticPaymentsUrl(): string {
    return throwNotConfigured();
  }
  override readonly browserForm = (): null => null;
  override readonly approvalPage = rejectNotConfigured;
  override readonly capturePayment = rejectNotConfigured;
  override readonly findApprovals = rejectNotConfigured;
  override readonly readSubscription = rejectNotConfigured;
  override readonly readPayment = rejectNotConfigured;
  override readonly endSubscription = rejectNotConfigured;
  override readonly refundSubscription = rejectNotConfigured;
  override readonly refundPayment = rejectNotConfigured;
  override readonly readEvent = rejectNotConfigured;
}

export class UnconfiguredPrices extends ProviderPrices {
  /** Pages show prices by the catalogue's names, although none can be bought. */
  override readonly findId = (price: string): string => price;
  override readonly priceOf = (id: string): string | undefined => priceOf(id)?.id;
  override readonly walletPlansOf = (): { withTrial: null; withoutTrial: null } => ({
    withTrial: null,
    withoutTrial: null,
  });
}

export class SystemClock extends BillingClock {
  override now(): Date {
    return new Date();
  }
}
