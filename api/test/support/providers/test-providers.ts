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

export interface TestProviders {
  readonly environment: Environment;
  readonly cardFaults: Faults;
  readonly walletFaults: Faults;
  /** Start of the addresses of the hosted pages. */
  readonly pagesUrl: string;
  confirm(kind: 'setup_intents' | 'payment_intents', id: string, cardNumber: string): Promise<Confirmation>;
  approveSubscription(planId: string, customId: string): Promise<string>;
  approveOrder(order: WalletOrder): Promise<string>;
  dispute(id: string): Promise<void>;
  refundPayment(id: string, cents: number): Promise<unknown>;
  failFutureCharges(id: string): Promise<void>;
  payOpenInvoice(subscriptionId: string, cardNumber: string): Promise<unknown>;
  /** Resolves when all events so far were posted once. */
  deliverEvents(): Promise<void>;
  withholdEvents(isWithheld: boolean): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Call before a query of the `ledger` schema, in which tests read what the providers hold. */
  prepareQuery(sql: string): Promise<void>;
  /** @throws Error when a request of the product violated the providers' API descriptions */
  stop(): Promise<void>;
}
