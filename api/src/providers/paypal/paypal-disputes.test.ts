import { expect, it } from 'vitest';
import { PayPalDisputes } from './paypal-events.js';

const NOON = Date.parse('2026-11-25T12:00:00Z');
const HOUR = 3_600_000;

/** A log of events, and the times from which it was read. */
function log() {
  const events: { type: string; at: number; resource: Record<string, unknown> }[] = [];
  const reads: string[] = [];
  let now = NOON;
  const disputes = new PayPalDisputes(
    async (type, { since }) => {
      reads.push(`${type.split('.').at(-1)} ${since?.toISOString() ?? 'all'}`);
      return events
        .filter((event) => event.type === type && event.at >= (since?.getTime() ?? 0))
        .map(({ resource }, index) => ({ id: String(index), event_type: type, resource }));
    },
    { now: () => new Date(now) },
  );
  return {
    disputes,
    reads,
    wait: (hours: number): void => {
      now += hours * HOUR;
    },
    create: (id: string, transaction: string): void => {
      const resource = { dispute_id: id, disputed_transactions: [{ seller_transaction_id: transaction }] };
      events.push({ type: 'CUSTOMER.DISPUTE.CREATED', at: now, resource });
    },
    resolve: (id: string, outcome: string): void => {
      const resource = { dispute_id: id, dispute_outcome: { outcome_code: outcome } };
      events.push({ type: 'CUSTOMER.DISPUTE.RESOLVED', at: now, resource });
    },
    transactions: async () => [...(await disputes.transactions())],
  };
}

it('reads the log completely once, then from an hour before the last reading', async () => {
  const { create, wait, reads, transactions } = log();
  create('d1', 't1');
  expect(await transactions()).toEqual(['t1']);
  wait(5);
  create('d2', 't2');
  expect(await transactions()).toEqual(['t1', 't2']);
  expect(reads).toEqual([
    'CREATED all',
    'RESOLVED all',
    'CREATED 2026-11-25T11:00:00.000Z',
    'RESOLVED 2026-11-25T11:00:00.000Z',
  ]);
});

it('does not ask for resolutions while there is no dispute', async () => {
  const { reads, transactions, wait } = log();
  await transactions();
  wait(2);
  await transactions();
  expect(reads).toEqual(['CREATED all', 'CREATED 2026-11-25T11:00:00.000Z']);
});

it.each([
  ['RESOLVED_SELLER_FAVOUR', []],
  ['RESOLVED_BUYER_FAVOUR', ['t1']],
])('after %s', async (outcome, expected) => {
  const { create, resolve, wait, transactions } = log();
  create('d1', 't1');
  await transactions();
  resolve('d1', outcome);
  expect(await transactions()).toEqual(expected);
  wait(48);
  expect(await transactions()).toEqual(expected);
});
