import { z } from 'zod';
import type { SandboxDatabase } from '../core/database.js';
import { sha256 } from '../core/ids.js';

export class ZendeskError extends Error {
  override readonly name = 'ZendeskError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly description: string,
    readonly details?: Readonly<Record<string, readonly { readonly description: string }[]>>,
  ) {
    super(description);
  }

  get body(): object {
    return { error: this.code, description: this.description, ...(this.details && { details: this.details }) };
  }
}

/** The part of Zendesk's ticket that the product sends. Other members are rejected, so that typos fail. */
const NewTicket = z.strictObject({
  subject: z.string().min(1).max(150),
  comment: z.strictObject({ body: z.string().trim().min(1).max(64_000) }),
  requester: z.strictObject({ name: z.string().min(1).max(255), email: z.email() }),
  external_id: z.string().max(255).optional(),
  tags: z.array(z.string().regex(/^[^\s,"]+$/)).default([]),
  custom_fields: z.array(z.strictObject({ id: z.int().positive(), value: z.string() })).default([]),
});
type NewTicket = z.output<typeof NewTicket>;

/** @throws ZendeskError */
export function readTicket(body: unknown): NewTicket {
  if (typeof body !== 'object' || body === null || !('ticket' in body)) {
    throw new ZendeskError(400, 'MissingParameter', 'Parameter ticket is required');
  }
  const result = NewTicket.safeParse(body.ticket);
  if (result.success) return result.data;
  const details = Object.fromEntries(
    result.error.issues.map(({ path, message }) => [path.join('.') || 'base', [{ description: message }]]),
  );
  throw new ZendeskError(422, 'RecordInvalid', 'Record validation errors', details);
}

export interface StoredTicket {
  readonly id: number;
  readonly content: NewTicket;
  readonly createdAt: Date;
}

interface Row {
  /** bigint */
  readonly id: string;
  readonly fingerprint: string;
  readonly content: NewTicket;
  readonly created_at: Date;
}

const COLUMNS = 'id, fingerprint, content, created_at';
/** Zendesk remembers keys for two hours. */
const KEY_LIFETIME = "interval '2 hours'";

export class Tickets {
  constructor(private readonly database: SandboxDatabase) {}

  /** @throws ZendeskError for an idempotency key that was used with another ticket */
  create(content: NewTicket, key: string | null): Promise<{ ticket: StoredTicket; isReplayed: boolean }> {
    const fingerprint = sha256(JSON.stringify(content));
    return this.database.transact(async (client) => {
      if (key !== null) {
        await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [key]);
        const { rows } = await client.query<Row>(
          `SELECT ${COLUMNS} FROM sandbox.tickets
           WHERE idempotency_key = $1 AND created_at > now() - ${KEY_LIFETIME}`,
          [key],
        );
        const [earlier] = rows;
        if (earlier && earlier.fingerprint !== fingerprint) {
          throw new ZendeskError(
            400,
            'IdempotentRequestError',
            'Request parameters don’t match the given idempotency key',
          );
        }
        if (earlier) return { ticket: present(earlier), isReplayed: true };
      }
      const { rows } = await client.query<Row>(
        `INSERT INTO sandbox.tickets (external_id, idempotency_key, fingerprint, content, created_at)
         VALUES ($1, $2, $3, $4, now()) RETURNING ${COLUMNS}`,
        [content.external_id ?? null, key, fingerprint, content],
      );
      return { ticket: present(rowIn(rows)), isReplayed: false };
    });
  }

  /** Newest first. */
  async list(externalId?: string): Promise<StoredTicket[]> {
    const { rows } = await this.database.transact(
      (client) =>
        client.query<Row>(
          `SELECT ${COLUMNS} FROM sandbox.tickets
           WHERE NOT is_deleted AND ($1::text IS NULL OR external_id = $1) ORDER BY id DESC LIMIT 100`,
          [externalId ?? null],
        ),
      true,
    );
    return rows.map(present);
  }

  async delete(id: string): Promise<boolean> {
    const change = 'UPDATE sandbox.tickets SET is_deleted = true WHERE id::text = $1 AND NOT is_deleted';
    return this.change(change, id);
  }

  async erase(id: string): Promise<boolean> {
    return this.change('DELETE FROM sandbox.tickets WHERE id::text = $1 AND is_deleted', id);
  }

  private async change(sql: string, id: string): Promise<boolean> {
    const { rowCount } = await this.database.transact((client) => client.query(sql, [id]));
    return rowCount === 1;
  }
}

function rowIn<Entry>([row]: readonly Entry[]): Entry {
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

const present = ({ id, content, created_at: createdAt }: Row): StoredTicket => ({ id: Number(id), content, createdAt });
