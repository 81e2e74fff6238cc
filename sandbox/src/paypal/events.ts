import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hmac, isSame, newId } from '../core/ids.js';
import { type Transaction, withoutInternals } from '../core/ledger.js';
import { linkTo, secondsOf, timeOf } from './objects.js';

export interface EventResource {
  readonly type: 'subscription' | 'sale' | 'capture' | 'refund' | 'checkout-order' | 'dispute';
  readonly resource: object;
}

/** @param subjectId by which events are listed: the order or subscription */
export async function emit(
  tx: Transaction,
  eventType: string,
  { type, resource }: EventResource,
  subjectId: string,
): Promise<void> {
  const id = newId('evt');
  const event = {
    id,
    event_version: '1.0',
    create_time: timeOf(tx.now),
    resource_type: type,
    event_type: eventType,
    summary: `${type} ${eventType}`,
    resource: withoutInternals(resource),
    links: [],
  };
  // Indented: a client that parses and serializes it before verification changes the signed bytes.
  const payload = JSON.stringify(event, null, 1);
  await tx.emit({ id, provider: 'paypal', type: eventType, subjectId, payload });
}

interface Transmission {
  readonly id: string;
  readonly time: string;
  readonly webhookId: string;
}

/** PayPal signs the same text by RSA. */
const signatureOf = (secret: string, { id, time, webhookId }: Transmission, body: string): string =>
  hmac(secret, `${id}|${time}|${webhookId}|${crc32(body)}`);

/** @param at real time */
export function signedHeaders(secret: string, webhookId: string, body: string, at: Date): Record<string, string> {
  const transmission = { id: randomUUID(), time: at.toISOString(), webhookId };
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://api.sandbox.example/v1/notifications/certs/CERT-sandbox',
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-time': transmission.time,
    'paypal-transmission-sig': signatureOf(secret, transmission, body),
  };
}

export const isSigned = (secret: string, transmission: Transmission, body: string, signature: string): boolean =>
  isSame(signature, signatureOf(secret, transmission, body));

const PATH = '/v1/notifications/webhooks-events';

interface EventQuery {
  readonly page_size: number;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly transaction_id?: string | undefined;
  readonly event_type?: string | undefined;
  readonly after?: string | undefined;
}

/** Newest first, with a link to the next page. */
export async function listEvents(tx: Transaction, query: EventQuery): Promise<object> {
  const { page_size: size, start_time: from, end_time: to } = query;
  const rows = await tx.query<{ id: string; payload: string }>(
    `SELECT id, payload FROM sandbox.events
     WHERE provider = 'paypal' AND ($1::text IS NULL OR type = $1)
       AND ($2::text IS NULL OR payload::jsonb #>> '{resource,id}' = $2)
       AND ($3::bigint IS NULL OR created_at >= $3) AND ($4::bigint IS NULL OR created_at <= $4)
       AND ($5::text IS NULL OR seq < (SELECT seq FROM sandbox.events WHERE id = $5))
     ORDER BY seq DESC LIMIT $6`,
    [
      query.event_type ?? null,
      query.transaction_id ?? null,
      from === undefined ? null : secondsOf(from),
      to === undefined ? null : secondsOf(to),
      query.after ?? null,
      size + 1,
    ],
  );
  const page = rows.slice(0, size);
  const given = Object.entries({ ...query, after: page.at(-1)?.id }).filter(([, value]) => value !== undefined);
  const next = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  return {
    events: page.map(({ payload }) => JSON.parse(payload)),
    count: page.length,
    links: rows.length > size ? [linkTo('next', `${PATH}?${next}`)] : [],
  };
}
