import { z } from 'zod';
import { PermanentFailure } from '../platform/schedule/work.js';
import { type DeskTicket, SupportDesk } from './support-desk.js';
import type { ZendeskConfig } from './zendesk.config.js';
import { ZendeskClient, type ZendeskResponse } from './zendesk-client.js';

const Ticket = z.object({ id: z.int() });
const Created = z.object({ ticket: Ticket });
const Found = z.object({ tickets: z.array(Ticket) });

/** Statuses that reject the ticket itself: another attempt would be rejected too. */
const isRejected = (status: number): boolean => status === 400 || status === 413 || status === 422;

/** https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/ */
export class ZendeskDesk extends SupportDesk {
  private readonly client: ZendeskClient;

  constructor(private readonly config: ZendeskConfig) {
    super();
    this.client = new ZendeskClient(config);
  }

  requireConfigured(): void {}

  /** Zendesk forgets idempotency keys after two hours; later attempts find the ticket by its external id. */
  async deliver(ticket: DeskTicket, signal: AbortSignal): Promise<string> {
    const [existing] = await this.find(ticket.requestId, signal);
    if (existing !== undefined) return String(existing);
    const response = await this.client.call({
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
        const response = await this.client.call({ method: 'DELETE', path, signal });
        // 404: deleted by an agent or by an earlier attempt.
        if (response.status >= 300 && response.status !== 404) throw unexpected(response);
      }
    }
  }

  private async find(requestId: string, signal: AbortSignal): Promise<number[]> {
    const path = `/api/v2/tickets?external_id=${encodeURIComponent(requestId)}` as const;
    const response = await this.client.call({ method: 'GET', path, signal });
    return read(response, 200, Found).tickets.map(({ id }) => id);
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
