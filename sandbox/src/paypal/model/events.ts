import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hmac, isSame, newId } from '../../core/ids.js';
import type { Transaction } from '../../core/ledger.js';
import { timeOf } from './objects.js';

/** Without internal properties. */
export function present<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (key, part) => (key.startsWith('_') ? undefined : part)));
}

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
    resource: present(resource),
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
