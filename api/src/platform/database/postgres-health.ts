import { type Dependency, ReadinessCheck } from '@clearframe/runtime/health';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

@Injectable()
@ReadinessCheck({ name: 'postgres' })
export class PostgresHealth implements Dependency {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  check(): Promise<unknown> {
    return this.database.query('SELECT 1');
  }
}
