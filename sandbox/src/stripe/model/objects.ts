import type { Reader, Transaction } from '../../core/ledger.js';
import type {
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
} from './payment-objects.js';
import type { Invoice, PortalSession, Subscription } from './subscription-objects.js';

export type { Metadata, StripeList } from './object-base.js';
export type * from './payment-objects.js';
export type * from './subscription-objects.js';

export interface StripeObjects {
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  subscription: Subscription;
  invoice: Invoice;
  dispute: Dispute;
  'billing_portal.session': PortalSession;
  'checkout.session': CheckoutSession;
}

export type StripeObject = StripeObjects[keyof StripeObjects];

export const findObject = <Type extends keyof StripeObjects>(
  reader: Reader,
  type: Type,
  id: string,
): Promise<StripeObjects[Type] | null> => reader.find<StripeObjects[Type]>(type, id);

export const listObjects = <Type extends keyof StripeObjects>(
  reader: Reader,
  type: Type,
  filters?: Readonly<Record<string, string | undefined>>,
): Promise<StripeObjects[Type][]> => reader.list<StripeObjects[Type]>(type, filters);

export async function saveObject<Saved extends StripeObject>(
  tx: Transaction,
  object: Saved,
  nextAt: number | null = null,
): Promise<Saved> {
  await tx.save(object.object, object, nextAt);
  return object;
}
