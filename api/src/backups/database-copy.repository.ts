import type { Readable, Writable } from 'node:stream';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { MIGRATIONS } from '../migrations/index.js';
import type { DatabaseConfig } from '../platform/database/database.module.js';
import { migrateDatabase } from '../platform/database/migrate.js';
import { BackupError, type Manifest } from './backup-folder.js';

/** Of a session: one backup or restore at a time. */
const LOCK = 4_710_002;
/** TypeORM's. */
const MIGRATIONS_TABLE = 'migrations';

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A connection without limits of time, which copies take long. */
async function connect({ url }: DatabaseConfig): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'clearframe-backup', keepAlive: true });
  // Queries reject, too.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS is_free', [LOCK]);
  if (rows[0].is_free) return client;
  await client.end();
  throw new BackupError('another backup or restore of this database is running');
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** One consistent state of the database, while it is written. */
export class DatabaseSnapshot {
  private constructor(
    private readonly client: Client,
    readonly takenAt: Date,
  ) {}

  static async take(config: DatabaseConfig): Promise<DatabaseSnapshot> {
    const client = await connect(config);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The first statement takes the snapshot.
    const { rows } = await client.query('SELECT clock_timestamp() AS taken_at');
    return new DatabaseSnapshot(client, rows[0].taken_at);
  }

  /** Keeps the lock, but lets the server remove old rows again. */
  async finish(): Promise<void> {
    await this.client.query('COMMIT');
  }

  /** @throws BackupError when the connection broke: another backup may have begun, and removed what this one stored */
  async requireLock(): Promise<void> {
    await this.client.query('SELECT 1').catch((cause: unknown) => {
      throw new BackupError('the connection to the database broke, and with it the lock against other backups', {
        cause,
      });
    });
  }

  /** Ends the connection, and with it the lock. */
  close(): Promise<void> {
    return this.client.end();
  }

  /** All tables, without generated columns. */
  async tables(): Promise<Table[]> {
    const { rows } = await this.client.query<Table>(
      `SELECT c.relname AS name, json_agg(a.attname ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
         AND NOT a.attisdropped AND a.attgenerated = ''
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       GROUP BY c.relname ORDER BY c.relname`,
    );
    return rows;
  }

  async sequences(): Promise<Manifest['sequences']> {
    const { rows } = await this.client.query(
      `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`,
    );
    return rows;
  }

  async migrations(): Promise<string[]> {
    const { rows } = await this.client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }

  /** The rows of a table in the text format of `COPY`. @param rowCount called at the end */
  rowsOf({ name, columns }: Table, rowCount: (rows: number) => void): Readable {
    const stream = this.client.query(copyTo(`COPY (SELECT ${quoted(columns)} FROM "${name}") TO STDOUT`));
    stream.once('end', () => rowCount(stream.rowCount));
    return stream;
  }

  /** Of some ids of tasks, those that are there. */
  async tasksAmong(ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.client.query<{ id: string }>('SELECT id FROM tasks WHERE id = ANY($1)', [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Of some ids of runs, those that have ended. */
  async endedAmong(ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.client.query<{ id: string }>(
      'SELECT id FROM runs WHERE id = ANY($1) AND finished_at IS NOT NULL',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

/** A database without accounts, to be filled. */
export class EmptyDatabase {
  private constructor(
    private readonly config: DatabaseConfig,
    private readonly client: Client,
  ) {}

  /** @throws BackupError for a database that is not empty */
  static async open(config: DatabaseConfig): Promise<EmptyDatabase> {
    const client = await connect(config);
    const database = new EmptyDatabase(config, client);
    try {
      await database.requireUnused();
      return database;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Operators' commands leave an entry, too. */
  private async requireUnused(): Promise<void> {
    for (const table of ['users', 'audit_entries']) {
      const { rows: found } = await this.client.query('SELECT to_regclass($1) AS name', [table]);
      if (found[0].name === null) continue;
      const { rows } = await this.client.query(`SELECT EXISTS (SELECT FROM "${table}") AS is_used`);
      if (rows[0].is_used)
        throw new BackupError('the database is in use: nothing was changed. Restore into an empty one');
    }
  }

  /**
   * Makes the schema of the backup's version, fills all tables in one transaction, and runs later migrations. A failure
   * leaves a database without accounts.
   * @param read sends the rows of a table
   */
  async fill(
    { tables, sequences, migrations }: Manifest,
    read: (table: Manifest['tables'][number], target: Writable) => Promise<void>,
  ): Promise<void> {
    const { client } = this;
    await this.requireUnused();
    await client.query('DROP SCHEMA public CASCADE');
    await client.query('CREATE SCHEMA public');
    await migrateDatabase(
      this.config,
      MIGRATIONS.filter(({ name }) => migrations.includes(name)),
    );
    await client.query('BEGIN');
    const filled = tables.filter(({ name }) => name !== MIGRATIONS_TABLE);
    const { rows: keys } = await client.query<{ name: string; table: string; definition: string }>(
      `SELECT quote_ident(conname) AS name, conrelid::regclass AS table, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
    );
    // Each is checked once, for all rows, and in any order of the tables.
    for (const { name, table } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const table of filled) await this.fillTable(table, read);
    for (const { name, table, definition } of keys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    for (const { name, value } of sequences)
      await client.query('SELECT setval($1::regclass, $2)', [`"${name}"`, value]);
    await client.query('COMMIT');
    await migrateDatabase(this.config, MIGRATIONS);
    await client.query('ANALYZE');
  }

  private async fillTable(
    table: Manifest['tables'][number],
    read: (table: Manifest['tables'][number], target: Writable) => Promise<void>,
  ): Promise<void> {
    const { name, columns, rows } = table;
    // The rows have what triggers once did.
    await this.client.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
    // A new table is not empty where its migration fills it.
    await this.client.query(`DELETE FROM "${name}"`);
    const target = this.client.query(copyFrom(`COPY "${name}" (${quoted(columns)}) FROM STDIN`));
    await read(table, target);
    if (target.rowCount !== rows) throw new BackupError(`${name} has ${target.rowCount} rows instead of ${rows}`);
    await this.client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
  }
}

/** @throws BackupError for a backup of a newer version */
export function requireKnownMigrations({ migrations }: Manifest): void {
  const known = new Set<string>(MIGRATIONS.map(({ name }) => name));
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new BackupError(`the backup is of a newer version, with ${unknown.join(', ')}: restore it with that one`);
}
