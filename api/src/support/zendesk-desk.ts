import { inMilliseconds } from '@clearframe/contract';
import { z } from 'zod';
import { PermanentFailure } from '../platform/schedule/work.js';
import { DeskBusy, type DeskTicket, SupportDesk } from './support-desk.js';
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

interface ZendeskResponse {
  readonly status: number;
  /** Null for a response that is no JSON. */
  readonly json: unknown;
  /** For logs: Zendesk's own description. */
  readonly reason: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const Ticket = z.object({ id: z.int() });
const Created = z.object({ ticket: Ticket });
const Found = z.object({ tickets: z.array(Ticket) });

/** Statuses that reject the ticket itself: another attempt would be rejected too. */
const isRejected = (status: number): boolean => status === 400 || status === 413 || status === 422;

/** https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/ */
export class ZendeskDesk extends SupportDesk {
  constructor(private readonly config: ZendeskConfig) {
    super();
  }

  requireConfigured(): void {}

  /** Zendesk forgets idempotency keys after two hours; later attempts find the ticket by its external id. */
  async deliver(ticket: DeskTicket, signal: AbortSignal): Promise<string> {
    const [existing] = await this.find(ticket.requestId, signal);
    if (existing !== undefined) return String(existing);
    const response = await this.call({
      method: 'POST',
      path: '/api/v2/tickets',
      body: { ticket: this.present(ticket) },
      idempotencyKey: ticket.requestId,
      signal,
    });
    if (isRejected(response.status)) throw new PermanentFailure(`Zendesk rejected the ticket: ${response.reason}`);
    return String(read(response, 201, Created).ticket.id);
  }

  /** The second call erases what the first one moves to the deleted tickets for 30 days. */
  async delete(requestId: string, signal: AbortSignal): Promise<void> {
    for (const id of await this.find(requestId, signal)) {
      for (const path of [`/api/v2/tickets/${id}`, `/api/v2/deleted_tickets/${id}`] as const) {
        const response = await this.call({ method: 'DELETE', path, signal });
        // 404: deleted by an agent or by an earlier attempt.
        if (response.status >= 300 && response.status !== 404) throw unexpected(response);
      }
    }
  }

  private async find(requestId: string, signal: AbortSignal): Promise<number[]> {
    const path = `/api/v2/tickets?external_id=${encodeURIComponent(requestId)}` as const;
    const response = await this.call({ method: 'GET', path, signal });
    return read(response, 200, Found).tickets.map(({ id }) => id);
  }

  /**
   * https://developer.zendesk.com/api-reference/introduction/requests/
   * @throws DeskBusy on 429, as on 503 with `Retry-After`
   */
  private async call({ method, path, body, idempotencyKey, signal }: Call): Promise<ZendeskResponse> {
    const { url, email, token } = this.config;
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${email}/token:${token}`).toString('base64')}`,
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

  private present(ticket: DeskTicket): object {
    const { requestId, name, email, subject, body, source, device, browser, eventId, account } = ticket;
    const metadata = [
      ['Source', source],
      ['Device', device],
      ['Browser', browser],
      ['Event', eventId],
      ['User', account && `${account.userId} (${account.role})`],
      ['Request', requestId],
    ].filter(([, value]) => value);
    return {
      subject,
      // `body` is plain text; HTML would be `html_body`.
      comment: { body: `${body}\n\n--\n${metadata.map(([label, value]) => `${label}: ${value}`).join('\n')}` },
      requester: { name, email },
      external_id: requestId,
      tags: ['clearframe', ...(account ? [`plan_${account.role}`] : []), ...tagOf(source)],
      ...(this.config.sourceField !== null && { custom_fields: [{ id: this.config.sourceField, value: source }] }),
    };
  }
}

/** Tags contain no spaces or special characters. */
function tagOf(source: string): string[] {
  const word = source
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return word === '' ? [] : [`source_${word}`];
}

function read<Schema extends z.ZodType>(response: ZendeskResponse, status: number, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(response.json);
  if (response.status !== status || !result.success) throw unexpected(response);
  return result.data;
}

const unexpected = ({ reason }: ZendeskResponse): Error => new Error(`Zendesk answered ${reason}`);
