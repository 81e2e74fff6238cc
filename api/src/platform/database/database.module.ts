import { inMilliseconds, snakeCase } from '@clearframe/contract';
import { count, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg, { Client, type ClientConfig, Pool } from 'pg';
import { DataSource, type DataSourceOptions, DefaultNamingStrategy } from 'typeorm';
import { z } from 'zod';
import { RequestPool } from './connection-waits.js';
import { preparedNameOf } from './statements.js';

const schema = z.object({
  DATABASE_URL: z.url({ error: 'is missing or not a postgres:// URL', protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_SIZE: count(20),
  DATABASE_WAIT_SECONDS: count(2),
});

export class DatabaseConfig {
  private constructor(
    readonly url: string,
    readonly poolSize: number,
    /** Longest wait of a request for connections. */
    readonly requestWaitMs: number,
  ) {}

  static fromEnvironment(environment: Environment): DatabaseConfig {
    const env = readEnvironment(schema, environment);
    return new DatabaseConfig(
      env.DATABASE_URL,
      env.DATABASE_POOL_SIZE,
      inMilliseconds.seconds(env.DATABASE_WAIT_SECONDS),
    );
  }
}

/**
 * Limits the wait for the pool, too; that of requests is shorter. A busy machine takes seconds for ten new connections at
 * once; an absent server refuses them.
 */
const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(8);
const STATEMENT_TIMEOUT_MS = inMilliseconds.seconds(15);
/** For a server that no longer answers; longer than the server's own limit. */
const QUERY_TIMEOUT_MS = inMilliseconds.seconds(30);
/** So that the first visitors don't wait for them. */
const WARM_CONNECTIONS = 5;
/**
 * A new connection derives a key from the password and starts a process of PostgreSQL. Pages poll every 2 s; the
 * default of 10 s closed connections between requests.
 */
const IDLE_TIMEOUT_MS = inMilliseconds.minutes(10);

class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snakeCase([...prefixes, custom ?? property].join('_'));
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }
}

/** The message of `pg` for a query without an answer. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * Between checkout and use by TypeORM a connection has no error listener: an error would end the process. Queries still
 * reject. After a query without an answer the connection is closed: `pg` would let later queries wait behind it.
 */
class GuardedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const guarded = (...parameters: unknown[]): unknown => {
      const result = query(...withName(parameters));
      if (result instanceof Promise) result.catch((error: unknown) => this.closeAfter(error));
      return result;
    };
    Object.assign(this, { query: guarded });
  }

  private closeAfter(error: unknown): void {
    if (error instanceof Error && error.message === READ_TIMEOUT) this.connection.stream.destroy();
  }
}

function withName([text, values, ...others]: unknown[]): unknown[] {
  const name = typeof text === 'string' ? preparedNameOf(text) : undefined;
  return name ? [{ name, text, values }, ...others] : [text, values, ...others];
}

export const databaseOptions = (config: DatabaseConfig): DataSourceOptions => ({
  type: 'postgres',
  driver: { ...pg, Pool: RequestPool },
  url: config.url,
  namingStrategy: new SnakeNaming(),
  synchronize: false,
  logging: false,
  extra: {
    Client: GuardedClient,
    max: config.poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'clearframe-api',
  },
});

/** Asks over a connection of its own: a full pool says nothing about the server. */
@Injectable()
@ReadinessCheck({ name: 'postgres' })
class PostgresHealth implements Dependency, OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(config: DatabaseConfig) {
    const { extra } = databaseOptions(config);
    this.pool = new Pool({ ...extra, connectionString: config.url, max: 1 });
    // The next check opens another connection.
    this.pool.on('error', () => undefined);
  }

  check(): Promise<unknown> {
    return this.pool.query('SELECT 1');
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}

/** Opens connections before the first requests need them. An unreachable server is left to the readiness check. */
export async function warmUpPool(database: DataSource): Promise<void> {
  await Promise.allSettled(Array.from({ length: WARM_CONNECTIONS }, () => database.query('SELECT 1')));
}

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [DatabaseConfig],
      useFactory: (config: DatabaseConfig) => ({
        ...databaseOptions(config),
        autoLoadEntities: true,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [PostgresHealth],
})
export class DatabaseModule {}
