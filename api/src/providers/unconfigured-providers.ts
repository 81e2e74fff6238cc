import { notConfigured } from '../platform/errors/app-error.js';
import { CardProvider, WalletProvider } from './payment-provider.js';

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
