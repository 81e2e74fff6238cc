import { inSeconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { IdempotencyRecord } from './idempotency.entity.js';

const RETENTION_SECONDS = inSeconds.hours(24);
/** A request without a response for this time is assumed dead; its key may be used again. */
const ABANDONED_AFTER_SECONDS = inSeconds.minutes(1);

@Injectable()
export class IdempotencyRepository {
  constructor(@InjectRepository(IdempotencyRecord) private readonly records: Repository<IdempotencyRecord>) {}

  /** Claims a new, expired or abandoned key. False when another request holds it or has used it. */
  async claim(scope: string, key: string, fingerprint: string): Promise<boolean> {
    const claimed: unknown[] = await this.records.query(
      `INSERT INTO idempotency_keys AS held (scope, key, fingerprint, created_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (scope, key) DO UPDATE SET fingerprint = $3, status = NULL, answer = NULL, created_at = now()
       WHERE held.created_at < now() - make_interval(secs => $4)
          OR (held.status IS NULL AND held.created_at < now() - make_interval(secs => $5))
       RETURNING key`,
      [scope, key, fingerprint, RETENTION_SECONDS, ABANDONED_AFTER_SECONDS],
    );
    return claimed.length > 0;
  }

  find(scope: string, key: string): Promise<IdempotencyRecord | null> {
    return this.records.findOneBy({ scope, key });
  }

  async storeResponse(scope: string, key: string, status: number, response: Buffer): Promise<void> {
    await this.records.update({ scope, key, status: IsNull() }, { status, response });
  }

  async delete(scope: string, key: string): Promise<void> {
    await this.records.delete({ scope, key });
  }

  async deleteScope(scope: string): Promise<void> {
    await this.records.delete({ scope });
  }

  async deleteExpired(): Promise<void> {
    await this.records.query('DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(secs => $1)', [
      RETENTION_SECONDS,
    ]);
  }
}
