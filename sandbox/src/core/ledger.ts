import type { PoolClient } from 'pg';
import type { SandboxDatabase } from './database.js';

/** An object of a provider's API. Properties that begin with `_` are internal and never presented. */
export interface StoredObject {
  readonly id: string;
}

export interface NewEvent {
  readonly id: string;
  readonly provider: 'stripe' | 'paypal';
  readonly type: string;
  readonly subjectId: string;
  readonly payload: string;
}

export class Reader {
  constructor(
    protected readonly client: PoolClient,
    /** Billing time in Unix seconds. */
    readonly now: number,
  ) {}

  async find<Stored extends StoredObject>(type: string, id: string): Promise<Stored | null> {
    const { rows } = await this.client.query<{ body: Stored }>(
      'SELECT body FROM sandbox.objects WHERE id = $1 AND type = $2',
      [id, type],
    );
    return rows[0]?.body ?? null;
  }

  /** Newest first. @param filters properties by name; dots separate levels */
  async list<Stored extends StoredObject>(
    type: string,
    filters: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Stored[]> {
    const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const conditions = given.map(([path], index) =>
      // An index exists for some of these.
      !path.includes('.')
        ? `AND body ->> '${path}' = $${index + 2}`
        : `AND body #>> '{${path.replaceAll('.', ',')}}' = $${index + 2}`,
    );
    const { rows } = await this.client.query<{ body: Stored }>(
      `SELECT body FROM sandbox.objects WHERE type = $1 ${conditions.join(' ')} ORDER BY seq DESC`,
      [type, ...given.map(([, value]) => value)],
    );
    return rows.map(({ body }) => body);
  }
}

/** Changes objects. Serialized with all other transactions. */
export class Transaction extends Reader {
  constructor(
    client: PoolClient,
    now: number,
    private readonly changes: { hasEvents: boolean },
  ) {
    super(client, now);
  }

  /** @param nextAt Unix time of the next scheduled change */
  async save(type: string, object: StoredObject, nextAt: number | null = null): Promise<void> {
    await this.client.query(
      `INSERT INTO sandbox.objects (id, type, body, next_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET body = excluded.body, next_at = excluded.next_at`,
      [object.id, type, JSON.stringify(object), nextAt],
    );
  }

  async emit({ id, provider, type, subjectId, payload }: NewEvent): Promise<void> {
    this.changes.hasEvents = true;
    await this.client.query(
      `INSERT INTO sandbox.events (id, provider, type, subject_id, payload, created_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
      [id, provider, type, subjectId, payload, this.now],
    );
  }

  async nextDue(by: number): Promise<{ readonly type: string; readonly id: string; readonly at: number } | null> {
    const { rows } = await this.client.query<{ type: string; id: string; at: string }>(
      'SELECT type, id, next_at AS at FROM sandbox.objects WHERE next_at <= $1 ORDER BY next_at, seq LIMIT 1',
      [by],
    );
    const [first] = rows;
    return first ? { ...first, at: Number(first.at) } : null;
  }

  /** The same transaction at another time. Moves the clock forward if it is behind. */
  async at(moment: number): Promise<Transaction> {
    await this.moveClock(moment * 1000 - Date.now());
    return new Transaction(this.client, moment, this.changes);
  }

  /** Moves the clock forward to an offset, unless it is ahead. */
  async moveClock(offsetMs: number): Promise<void> {
    await this.client.query(
      'UPDATE sandbox.system SET clock_offset_ms = GREATEST(clock_offset_ms, $1::bigint) WHERE id = 1',
      [offsetMs],
    );
  }

  /** Undoes the changes of a rejected request. @param keepsChanges decides for an error of the request */
  async attempt<Result>(handle: () => Promise<Result>, keepsChanges: (error: unknown) => boolean): Promise<Result> {
    await this.client.query('SAVEPOINT attempt');
    try {
      return await handle();
    } catch (error) {
      if (!keepsChanges(error)) await this.client.query('ROLLBACK TO SAVEPOINT attempt');
      throw error;
    }
  }

  async query<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.client.query<Row & Record<string, unknown>>(sql, [...values])).rows;
  }
}

const secondsAt = (offsetMs: string | undefined): number => Math.floor((Date.now() + Number(offsetMs ?? 0)) / 1000);

export class Ledger {
  private eventListener: () => void = () => undefined;

  constructor(private readonly database: SandboxDatabase) {}

  onEvents(listener: () => void): void {
    this.eventListener = listener;
  }

  async transact<Result>(handle: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const changes = { hasEvents: false };
    const result = await this.database.transact(async (client) => {
      const { rows } = await client.query<{ offset: string }>(
        'SELECT clock_offset_ms AS offset FROM sandbox.system WHERE id = 1 FOR UPDATE',
      );
      return handle(new Transaction(client, secondsAt(rows[0]?.offset), changes));
    });
    if (changes.hasEvents) this.eventListener();
    return result;
  }

  read<Result>(handle: (reader: Reader) => Promise<Result>): Promise<Result> {
    return this.database.transact(async (client) => {
      const { rows } = await client.query<{ offset: string }>(
        'SELECT clock_offset_ms AS offset FROM sandbox.system WHERE id = 1',
      );
      return handle(new Reader(client, secondsAt(rows[0]?.offset)));
    }, true);
  }

  async clockOffsetMs(): Promise<number> {
    return this.database.transact(async (client) => {
      const { rows } = await client.query<{ offset: string }>('SELECT clock_offset_ms AS offset FROM sandbox.system');
      return Number(rows[0]?.offset ?? 0);
    }, true);
  }
}

/** Without internal properties, whose names begin with `_`. */
export function withoutInternals<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (key, part) => (key.startsWith('_') ? undefined : part)));
}
