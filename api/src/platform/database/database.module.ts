import { inMilliseconds } from '@clearframe/contract';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { GuardedClient } from './guarded-client.js';
import { SnakeNaming } from './naming.js';
import { PostgresHealth } from './postgres-health.js';

const CONNECT_TIMEOUT_MS = inMilliseconds.seconds(3);
const STATEMENT_TIMEOUT_MS = inMilliseconds.seconds(15);
const POOL_SIZE = 20;

/** Shared by the server and the migration command. Only migrations change the schema. */
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
