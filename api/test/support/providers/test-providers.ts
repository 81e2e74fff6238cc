import type { Environment } from '@clearframe/runtime/config';
import type { Faults } from '../../../../sandbox/src/core/faults.js';

/** Response of the sandbox's developer routes. */
export interface Confirmation {
  readonly status: 'succeeded' | 'failed' | 'requires_action';
  readonly payment_method_id?: string;
  readonly error_code?: string;
}

export interface WalletOrder {
  readonly amountCents: number;
  readonly currency: string;
  readonly customId: string;
}

/** Stripe and PayPal in tests, with the actions of payers, banks and the providers' staff. */
export interface TestProviders {
  /** Settings of the API that lead to them. */
  readonly environment: Environment;
  /** Applied to requests to Stripe. */
  readonly cardFaults: Faults;
  /** Applied to requests to PayPal. */
  readonly walletFaults: Faults;
  /** Start of the addresses of the hosted pages. */
  readonly pagesUrl: string;
  /** Presents a card to a setup or payment intent. */
  confirm(kind: 'setup_intents' | 'payment_intents', id: string, cardNumber: string): Promise<Confirmation>;
  /** Creates and approves a subscription in the wallet. @returns its id */
  approveSubscription(planId: string, customId: string): Promise<string>;
  /** Creates and approves an order in the wallet. @returns its id */
  approveOrder(order: WalletOrder): Promise<string>;
  dispute(id: string): Promise<void>;
  refundPayment(id: string, cents: number): Promise<unknown>;
  /** Makes later charges of a subscription fail. */
  failFutureCharges(id: string): Promise<void>;
  payOpenInvoice(subscriptionId: string, cardNumber: string): Promise<unknown>;
  /** Resolves when all events so far were posted once. */
  deliverEvents(): Promise<void>;
  withholdEvents(isWithheld: boolean): Promise<void>;
  /** Moves billing time forward. */
  advance(seconds: number): Promise<void>;
  /** Call before a query of the `ledger` schema, in which tests read what the providers hold. */
  prepareQuery(sql: string): Promise<void>;
  /** @throws Error when a request of the product violated the providers' API descriptions */
  stop(): Promise<void>;
}
