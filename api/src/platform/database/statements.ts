import type { DataSource, EntityManager, EntityMetadata } from 'typeorm';

const names = new Map<string, string>();

/**
 * A statement that runs for every request. Each connection prepares it once: PostgreSQL plans others for each call, which
 * takes three quarters of the time of that for a caller's entitlements. Its plan must not depend on the values, and a
 * migration must not change the types of its columns while earlier processes run.
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, `prepared_${names.size + 1}`);
  return text;
}

export const preparedNameOf = (text: string): string | undefined => names.get(text);

/**
 * An entity's columns and rows for statements that run for every request: TypeORM's query builder takes as long as
 * PostgreSQL.
 * @param alias of its table
 */
export class EntityRows<Entity extends object> {
  /** For a `SELECT`. */
  readonly names: string;
  private readonly columns: EntityMetadata['columns'];

  constructor(
    private readonly database: DataSource,
    private readonly entity: new () => Entity,
    alias: string,
  ) {
    this.columns = database.getMetadata(entity).columns;
    this.names = this.columns.map(({ databaseName }) => `${alias}.${databaseName}`).join(', ');
  }

  entityOf(row: Readonly<Record<string, unknown>>): Entity {
    const values = this.columns.map((column) => [
      column.propertyName,
      this.database.driver.prepareHydratedValue(row[column.databaseName], column),
    ]);
    return Object.assign(new this.entity(), Object.fromEntries(values));
  }
}

const ROWS_PER_DELETION = 5_000;

/**
 * Deletes rows in statements that end well before the time limit, however many there are. `where` needs an index; table
 * and `where` are constants.
 */
export async function deleteInBatches(
  database: Pick<DataSource, 'query'>,
  table: string,
  where: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const chosen = `SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_PER_DELETION}`;
  for (let count = ROWS_PER_DELETION; count === ROWS_PER_DELETION; ) {
    [, count] = await database.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${chosen}))`, [...values]);
  }
}

const UNIQUE_VIOLATION = '23505';

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { driverError } = error as { driverError?: { code?: unknown; constraint?: unknown } };
  return driverError?.code === UNIQUE_VIOLATION && driverError.constraint === constraint;
}

/**
 * Serializes changes to what a user owns or may do, until the transaction ends. Taken before all other locks and in the
 * order of ids, to avoid deadlocks.
 */
export async function lockUsers(manager: EntityManager, ...userIds: string[]): Promise<void> {
  for (const id of [...new Set(userIds)].sort()) {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${id}`]);
  }
}

/** Makes an erasure wait for the transaction. False for an erased user. */
export async function holdUser(manager: EntityManager, id: string): Promise<boolean> {
  const rows: unknown[] = await manager.query('SELECT id FROM users WHERE id = $1 FOR KEY SHARE', [id]);
  return rows.length > 0;
}
