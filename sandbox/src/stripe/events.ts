import { hmac, newId } from '../core/ids.js';
import { type Transaction, withoutInternals } from '../core/ledger.js';
import type { StripeObject } from './objects.js';

export const API_VERSION = '2026-10-28.endive';

/** @param subjectId by which events are listed: the intent or subscription */
export async function emit(tx: Transaction, type: string, object: StripeObject, subjectId = object.id): Promise<void> {
  const id = newId('evt');
  const payload = JSON.stringify({
    id,
    object: 'event',
    api_version: API_VERSION,
    created: tx.now,
    data: { object: withoutInternals(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });
  await tx.emit({ id, provider: 'stripe', type, subjectId, payload });
}

/** Header `stripe-signature`. @param at real time */
export function stripeSignature(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`;
}
