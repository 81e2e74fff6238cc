import type { SandboxDatabase } from '../core/database.js';
import { sha256 } from '../core/ids.js';
import type { NewTicket } from './ticket-schema.js';
import { ZendeskError } from './zendesk-error.js';

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
