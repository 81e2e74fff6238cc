import type Stripe from 'stripe';

/** Statuses of inquiries and disputes that cost us nothing. */
const SETTLED: readonly Stripe.Dispute.Status[] = ['won', 'warning_closed'];

/** A charge stays `disputed` after its dispute is won. */
export async function isDisputed(stripe: Stripe, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false;
  const { data } = await stripe.disputes.list({ charge: id, limit: 100 });
  return data.length === 0 || data.some(({ status }) => !SETTLED.includes(status));
}
