import { inMilliseconds } from '@clearframe/contract';
import { z } from 'zod';
import type { BillingClock } from '../billing-clock.js';
import type { Event } from './paypal-shapes.js';

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

export function disputedTransactionsOf(resource: Event['resource']): string[] {
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
