import { setTimeout as pause } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import { Pool, type PoolClient } from 'pg';

/** Write transactions are serialized. */
const POOL_SIZE = 4;
const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(30);
/** A server recovers from a crash within seconds. */
const START_TIMEOUT_MS = inMilliseconds.minutes(1);
const ATTEMPT_INTERVAL_MS = 500;
/** Codes of a server that doesn't run, ends the connection or recovers from a crash. */
const NOT_READY = ['ECONNREFUSED', 'ECONNRESET', '57P03'];
/** Serializes concurrent migrations. */
const MIGRATION_LOCK = 4_710_002;

/** Executed in order, once each. Never change one that was released; append another. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sandbox.system (
     id int PRIMARY KEY CHECK (id = 1),
     clock_offset_ms bigint NOT NULL
   );
   INSERT INTO sandbox.system VALUES (1, 0);
   CREATE TABLE sandbox.objects (
     id text PRIMARY KEY,
     type text NOT NULL,
     seq bigint GENERATED ALWAYS AS IDENTITY,
     body jsonb NOT NULL,
     next_at bigint
   );
   CREATE INDEX objects_due ON sandbox.objects (next_at, seq) WHERE next_at IS NOT NULL;
   CREATE INDEX objects_customer ON sandbox.objects ((body ->> 'customer'), type, seq);
   CREATE INDEX objects_payment_intent ON sandbox.objects ((body ->> 'payment_intent')) WHERE type IN ('charge', 'refund');
   CREATE TABLE sandbox.requests (
     key text PRIMARY KEY,
     fingerprint text NOT NULL,
     request_id text NOT NULL,
     status int NOT NULL,
     body jsonb NOT NULL
   );
   CREATE TABLE sandbox.events (
     id text PRIMARY KEY,
     seq bigint GENERATED ALWAYS AS IDENTITY,
     provider text NOT NULL,
     type text NOT NULL,
     subject_id text NOT NULL,
     payload text NOT NULL,
     created_at bigint NOT NULL,
     attempts int NOT NULL DEFAULT 0,
     next_attempt_at timestamptz,
     delivered_at timestamptz
   );
   CREATE INDEX events_due ON sandbox.events (seq) WHERE next_attempt_at IS NOT NULL;
   CREATE INDEX events_subject ON sandbox.events (subject_id, seq);`,
  `CREATE INDEX objects_subject ON sandbox.objects ((body ->> '_subject'), type, seq);
   CREATE INDEX objects_capture ON sandbox.objects ((body ->> '_capture'), type, seq);
   CREATE INDEX events_paypal ON sandbox.events (type, seq) WHERE provider = 'paypal';`,
  `CREATE TABLE sandbox.accounts (
     uid text PRIMARY KEY,
     email text NOT NULL
   );
   CREATE TABLE sandbox.credentials (
     provider text NOT NULL,
     email text NOT NULL,
     uid text NOT NULL REFERENCES sandbox.accounts ON DELETE CASCADE,
     seq bigint GENERATED ALWAYS AS IDENTITY,
     PRIMARY KEY (provider, email)
   );
   CREATE INDEX credentials_uid ON sandbox.credentials (uid, seq);
   CREATE TABLE sandbox.signing_keys (
     id int PRIMARY KEY CHECK (id = 1),
     private_jwk jsonb NOT NULL,
     public_jwk jsonb NOT NULL
   );`,
  `CREATE TABLE sandbox.mobile_accounts (
     id text PRIMARY KEY,
     email text NOT NULL
   );`,
  `CREATE TABLE sandbox.tickets (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     external_id text,
     idempotency_key text,
     fingerprint text NOT NULL,
     content jsonb NOT NULL,
     created_at timestamptz NOT NULL,
     is_deleted boolean NOT NULL DEFAULT false
   );
   CREATE INDEX tickets_external ON sandbox.tickets (external_id);
   CREATE INDEX tickets_key ON sandbox.tickets (idempotency_key);`,
];

/** The schema `sandbox`, which the product never reads. */
export class SandboxDatabase {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool({
      connectionString: url,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'clearframe-sandbox',
    });
    // An idle connection that is lost is replaced by the next query.
    this.pool.on('error', () => undefined);
  }

  /** Waits for a database that starts. */
  async migrate(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.applyMigrations();
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!NOT_READY.includes(code) || Date.now() > deadline) throw error;
        await pause(ATTEMPT_INTERVAL_MS);
      }
    }
  }

  private applyMigrations(): Promise<void> {
    return this.transact(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await client.query('CREATE SCHEMA IF NOT EXISTS sandbox');
      await client.query('CREATE TABLE IF NOT EXISTS sandbox.migrations (number int PRIMARY KEY)');
      const { rows } = await client.query<{ number: number }>('SELECT number FROM sandbox.migrations');
      const done = new Set(rows.map(({ number }) => number));
      for (const [number, sql] of MIGRATIONS.entries()) {
        if (done.has(number)) continue;
        await client.query(sql);
        await client.query('INSERT INTO sandbox.migrations VALUES ($1)', [number]);
      }
    });
  }

  async transact<Result>(handle: (client: PoolClient) => Promise<Result>, isReadOnly = false): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query(isReadOnly ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN');
      const result = await handle(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
