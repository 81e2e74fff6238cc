import { ClearframeError } from './errors.ts';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/** What a webhook tells. `data` is what the matching GET answers. */
export interface WebhookEvent<Data = unknown> {
  readonly type: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: Data;
}

export interface VerifyOptions {
  /** How far the clocks may differ, and how old a delivery may be. Default: 300. */
  readonly toleranceSeconds?: number;
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a delivery by the Standard Webhooks scheme, in constant time.
 * @param body as received: text that was parsed and serialized again has another signature
 * @param secret `whsec_…`; during a rotation, the new and the old one
 * @throws ClearframeError `webhooks.signature_invalid`
 */
async function verify<Data = unknown>(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent<Data>> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('The timestamp is no number of seconds.');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw invalid('The timestamp is too old or too new.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? (bytesOf(part.slice(3)) ?? []) : []));
  for (const each of [secret].flat()) {
    const key = await keyOf(each);
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parse<Data>(bytes);
  }
  throw invalid('No signature matches.');
}

export const webhooks = { verify };

const invalid = (message: string, cause?: unknown): ClearframeError =>
  new ClearframeError(message, {
    code: 'webhooks.signature_invalid',
    remedy: 'Verify the body as it was received, with the secret of this endpoint; refuse the delivery otherwise.',
    cause,
  });

function headerOf(headers: HeadersLike, name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const [, value] = entries.find(([key]) => key.toLowerCase() === name) ?? [];
  if (typeof value !== 'string' || value === '') throw invalid(`The header ${name} is missing.`);
  return value;
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret is `whsec_` and Base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function parse<Data>(bytes: Uint8Array): WebhookEvent<Data> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent<Data>;
  } catch (cause) {
    throw invalid('The body is no JSON.', cause);
  }
}
