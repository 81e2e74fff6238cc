import { inMilliseconds } from '@clearframe/contract';
import { DeskBusy } from './support-desk.js';
import type { ZendeskConfig } from './zendesk.config.js';

const TIMEOUT_MS = inMilliseconds.seconds(20);
const DEFAULT_WAIT_S = 60;
/** Zendesk limits requests by the minute; a longer wait would be an error of theirs. */
const LONGEST_WAIT_S = 3600;
const MAX_REASON_LENGTH = 300;

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/api/v2/${string}`;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly signal: AbortSignal;
}

export interface ZendeskResponse {
  readonly status: number;
  /** Null for a response that is no JSON. */
  readonly json: unknown;
  /** For logs: Zendesk's own description. */
  readonly reason: string;
}

/** https://developer.zendesk.com/api-reference/introduction/requests/ */
export class ZendeskClient {
  private readonly authorization: string;

  constructor(private readonly config: ZendeskConfig) {
    const { email, token } = config;
    this.authorization = `Basic ${Buffer.from(`${email}/token:${token}`).toString('base64')}`;
  }

  /** @throws DeskBusy on 429, as on 503 with `Retry-After` */
  async call({ method, path, body, idempotencyKey, signal }: Call): Promise<ZendeskResponse> {
    const response = await fetch(new URL(path, this.config.url), {
      method,
      headers: {
        authorization: this.authorization,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // Its credentials are for this host only.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    if (response.status === 429 || (response.status === 503 && retryAfter !== null)) {
      const seconds = Number(retryAfter ?? DEFAULT_WAIT_S);
      const waitS = Number.isFinite(seconds) ? Math.min(Math.max(1, seconds), LONGEST_WAIT_S) : DEFAULT_WAIT_S;
      throw new DeskBusy(inMilliseconds.seconds(waitS));
    }
    return {
      status: response.status,
      json: parse(text),
      reason: `${response.status} ${text.slice(0, MAX_REASON_LENGTH)}`,
    };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
