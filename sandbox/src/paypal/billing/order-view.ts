import type { Reader } from '../../core/ledger.js';
import { present } from '../model/events.js';
import { listStored, type Order } from '../model/objects.js';

export async function presentOrder(reader: Reader, order: Order): Promise<Order> {
  const captures = await listStored(reader, 'capture', { _subject: order.id });
  const lists = await Promise.all(captures.map(({ id }) => listStored(reader, 'refund', { _capture: id })));
  const refunds = lists.flat();
  const [unit] = order.purchase_units;
  if (captures.length === 0) return order;
  const payments = { captures: present(captures), ...(refunds.length > 0 && { refunds: present(refunds) }) };
  return { ...order, purchase_units: [{ ...unit, payments }] };
}
