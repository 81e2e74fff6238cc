import { inMilliseconds, snakeCase } from '@clearframe/contract';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Client, type ClientConfig } from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { PostgresHealth } from './postgres-health.js';

const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
const STATEMENT_TIMEOUT_MS = inMilliseconds.seconds(15);
const POOL_SIZE = 20;

class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return snakeCase([...prefixes, custom ?? property].join('_'));
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }
}

/**
 * Between checkout from the pool and use by TypeORM a connection has no error listener: an error at that moment would
 * end the process. Queries still reject.
 */
class GuardedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** Only migrations change the schema. */
export const databaseOptions = (config: DatabaseConfig): DataSourceOptions => ({
  type: 'postgres',
  url: config.url,
  namingStrategy: new SnakeNaming(),
  synchronize: false,
  logging: false,
  extra: {
    Client: GuardedClient,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'clearframe-api',
  },
});

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
