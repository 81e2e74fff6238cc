import { inMilliseconds } from '@clearframe/contract';
import { z } from 'zod';
import type { BillingClock } from '../billing-clock.js';
import type { Approval, EventHeaders, ProviderEvent } from '../payment-provider.js';
import { isPayPalId, type PayPalClient, PayPalRejection } from './paypal-client.js';
import { Capture, centsOf, Event, Events, Verification } from './paypal-shapes.js';

/** Events may be listed some time after they were created. */
const OVERLAP_MS = inMilliseconds.hours(1);
const CREATED = 'CUSTOMER.DISPUTE.CREATED';
const RESOLVED = 'CUSTOMER.DISPUTE.RESOLVED';
const WON = 'RESOLVED_SELLER_FAVOUR';

const Resource = z.object({
  dispute_id: z.string(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).default([]),
  dispute_outcome: z.object({ outcome_code: z.string().optional() }).optional(),
});
type Resource = z.infer<typeof Resource>;

type ListEvents = (type: string, filter: { readonly since?: Date }) => Promise<readonly Event[]>;

const transactionsOf = ({ disputed_transactions: transactions }: Resource): string[] =>
  transactions.flatMap(({ seller_transaction_id: id }) => id ?? []);

function disputedTransactionsOf(resource: Event['resource']): string[] {
  const { data: dispute } = Resource.safeParse(resource);
  return dispute ? transactionsOf(dispute) : [];
}

/**
 * Disputes, which PayPal's payment objects don't show. The log of events is read completely once for each process, then
 * from the last reading on.
 */
export class PayPalDisputes {
  private readonly created = new Map<string, readonly string[]>();
  private readonly won = new Set<string>();
  private readonly readUntil = new Map<string, Date>();

  constructor(
    private readonly list: ListEvents,
    private readonly clock: BillingClock,
  ) {}

  /** Transactions with a dispute that we haven't won. */
  async transactions(): Promise<ReadonlySet<string>> {
    for (const resource of await this.updatesOf(CREATED))
      this.created.set(resource.dispute_id, transactionsOf(resource));
    if (this.created.size === 0) return new Set();
    for (const { dispute_id: id, dispute_outcome: outcome } of await this.updatesOf(RESOLVED)) {
      if (outcome?.outcome_code === WON) this.won.add(id);
    }
    return new Set([...this.created].flatMap(([id, transactions]) => (this.won.has(id) ? [] : transactions)));
  }

  private async updatesOf(type: string): Promise<Resource[]> {
    const startedAt = this.clock.now();
    const last = this.readUntil.get(type);
    const events = await this.list(type, last ? { since: new Date(last.getTime() - OVERLAP_MS) } : {});
    this.readUntil.set(type, startedAt);
    return events.flatMap(({ resource }) => Resource.safeParse(resource).data ?? []);
  }
}

const TOLERANCE_MS = inMilliseconds.minutes(5);
const PAGE_SIZE = '300';
const MAX_PAGES = 20;

const HEADERS = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

type Subject = ProviderEvent['subject'];

const Amount = z.object({ currency_code: z.string().default(''), value: z.string() });
const RefundResource = z.object({
  id: z.string(),
  sale_id: z.string().optional(),
  custom_id: z.string().optional(),
  amount: z.object({ value: z.string().optional() }).optional(),
  seller_payable_breakdown: z.object({ total_refunded_amount: Amount.optional() }).optional(),
  total_refunded_amount: Amount.optional(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
});
export interface KnownRefund {
  readonly transactionId: string;
  /** The digest of our key; null for a refund that staff made. */
  readonly customId: string | null;
  readonly cents: number;
  /** Sum of all refunds so far. */
  readonly totalCents: number;
}

/** Verifies webhook events, and reads the log that PayPal keeps for 30 days. */
export class PayPalEvents {
  constructor(
    private readonly client: PayPalClient,
    private readonly webhookId: string,
  ) {}

  /**
   * Asks PayPal, and never fetches the certificate that the event names.
   * @returns null for a signature that is invalid, or more than 300 s old or ahead
   */
  async verify(rawBody: Buffer, headers: EventHeaders): Promise<Event | null> {
    const text = rawBody.toString();
    const event = eventIn(text);
    const given = Object.entries(HEADERS).map(([name, header]) => [name, headers[header]] as const);
    const age = Date.now() - Date.parse(String(headers[HEADERS.transmission_time]));
    const isRecent = Math.abs(age) <= TOLERANCE_MS;
    if (!event || !isRecent || given.some(([, value]) => typeof value !== 'string')) return null;
    const fields = JSON.stringify({ ...Object.fromEntries(given), webhook_id: this.webhookId });
    // The signature covers the exact bytes, which parsing and serializing would change.
    const json = `${fields.slice(0, -1)},"webhook_event":${text}}`;
    const path = '/v1/notifications/verify-webhook-signature';
    try {
      const { verification_status: status } = await this.client.post(path, Verification, { json });
      return status === 'SUCCESS' ? event : null;
    } catch (error) {
      if (error instanceof PayPalRejection) return null;
      throw error;
    }
  }

  async subjectOf({ event_type: type, resource }: Event): Promise<Subject> {
    if (type.startsWith('BILLING.SUBSCRIPTION.')) return subscriptionSubject(resource.id);
    if (type.startsWith('CHECKOUT.ORDER.')) return paymentSubject(resource.id);
    if (type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED') return paymentSubject(resource.order_id ?? resource.id);
    const sale = subscriptionSubject(resource.billing_agreement_id);
    if (sale) return sale;
    const transactionId = transactionIn(type, resource);
    return transactionId === null ? null : this.subjectOfTransaction(transactionId);
  }

  async approvals(customId: string, since: Date): Promise<Approval[]> {
    const [subscriptions, orders] = await Promise.all([
      this.list('BILLING.SUBSCRIPTION.ACTIVATED', { since }),
      this.list('CHECKOUT.ORDER.APPROVED', { since }),
    ]);
    const Unit = z.object({ purchase_units: z.array(z.object({ custom_id: z.string().optional() })) });
    return [
      ...subscriptions
        .filter(({ resource }) => resource.custom_id === customId)
        .map(({ resource }) => ({ kind: 'subscription' as const, id: String(resource.id) })),
      ...orders
        .filter(({ resource }) => Unit.safeParse(resource).data?.purchase_units[0]?.custom_id === customId)
        .map(({ resource }) => ({ kind: 'payment' as const, id: String(resource.id) })),
    ];
  }

  async refunds(since: Date): Promise<KnownRefund[]> {
    const lists = await Promise.all(
      ['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.SALE.REFUNDED'].map((type) => this.list(type, { since })),
    );
    return lists.flat().flatMap(({ resource }) => refundIn(resource) ?? []);
  }

  /** The order of a capture; payments of subscriptions name theirs in the event of the sale only. */
  private async subjectOfTransaction(id: string): Promise<Subject> {
    if (!isPayPalId(id)) return null;
    const [sale] = await this.list('PAYMENT.SALE.COMPLETED', { transactionId: id });
    if (sale) return subscriptionSubject(sale.resource.billing_agreement_id);
    const capture = await this.client.find(`/v2/payments/captures/${id}`, Capture);
    return paymentSubject(capture?.supplementary_data?.related_ids?.order_id);
  }

  async list(type: string, { since, transactionId }: { since?: Date; transactionId?: string } = {}) {
    const query = new URLSearchParams({ page_size: PAGE_SIZE, event_type: type });
    if (since) query.set('start_time', since.toISOString());
    if (transactionId !== undefined) query.set('transaction_id', transactionId);
    const events: Event[] = [];
    let path: string | null = `/v1/notifications/webhooks-events?${query}`;
    for (let page = 0; path !== null && page < MAX_PAGES; page += 1) {
      const answer: z.infer<typeof Events> = await this.client.get(path, Events);
      events.push(...answer.events);
      const next = answer.links.find(({ rel }) => rel === 'next')?.href;
      path = next === undefined ? null : pathOf(next);
    }
    return events;
  }
}

function eventIn(text: string): Event | null {
  try {
    return Event.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function transactionIn(type: string, resource: Event['resource']): string | null {
  if (type.startsWith('CUSTOMER.DISPUTE.')) {
    return disputedTransactionsOf(resource)[0] ?? null;
  }
  if (type.endsWith('.REFUNDED')) return refundIn(resource)?.transactionId ?? null;
  return type.startsWith('PAYMENT.') && typeof resource.id === 'string' ? resource.id : null;
}

function refundIn(resource: Event['resource']): KnownRefund | null {
  const { data: refund } = RefundResource.safeParse(resource);
  const transactionId =
    refund?.sale_id ?? refund?.links.find(({ rel }) => rel === 'up')?.href.match(/captures\/([^/]+)$/)?.[1];
  if (!refund || transactionId === undefined) return null;
  const cents = centsOf({ currency_code: '', value: refund.amount?.value ?? '0' });
  const total = refund.seller_payable_breakdown?.total_refunded_amount ?? refund.total_refunded_amount;
  return { transactionId, customId: refund.custom_id ?? null, cents, totalCents: total ? centsOf(total) : cents };
}

const pathOf = (href: string): string => {
  const { pathname, search } = new URL(href, 'https://api-m.paypal.com');
  return `${pathname}${search}`;
};

const subscriptionSubject = (id: unknown): Subject =>
  typeof id === 'string' ? { provider: 'paypal', kind: 'subscription', id } : null;
const paymentSubject = (id: unknown): Subject =>
  typeof id === 'string' ? { provider: 'paypal', kind: 'payment', id } : null;
