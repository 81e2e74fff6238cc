import { inSeconds, LIFETIMES } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, IsNull, PrimaryColumn, Repository } from 'typeorm';
import { deleteInBatches } from '../database/statements.js';

@Entity('idempotency_keys')
export class IdempotencyRecord {
  @PrimaryColumn('text')
  scope!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  fingerprint!: string;

  @Column('uuid')
  token!: string;

  @Column('int', { nullable: true })
  status!: number | null;

  @Column('bytea', { name: 'answer', nullable: true })
  response!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  heldUntil!: Date;
}

const RETENTION_SECONDS = LIFETIMES.idempotencyKey;
/** A claim that isn't renewed for this time belongs to a dead process. */
const LEASE_SECONDS = inSeconds.minutes(1);

export interface KeyedRequest {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** The request that executes the work. A later claim of the key has another token. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  readonly token: string;
}

@Injectable()
export class IdempotencyRepository {
  constructor(@InjectRepository(IdempotencyRecord) private readonly records: Repository<IdempotencyRecord>) {}

  /** Claims a new, expired or abandoned key. Null when another request holds it or has used it. */
  async claim({ scope, key, fingerprint }: KeyedRequest): Promise<IdempotencyClaim | null> {
    const [claimed]: { token: string }[] = await this.records.query(
      `INSERT INTO idempotency_keys AS held (scope, key, fingerprint, created_at, held_until)
       VALUES ($1, $2, $3, now(), now() + make_interval(secs => $5))
       ON CONFLICT (scope, key) DO UPDATE SET fingerprint = excluded.fingerprint, token = excluded.token,
         status = NULL, answer = NULL, created_at = excluded.created_at, held_until = excluded.held_until
       WHERE held.created_at < now() - make_interval(secs => $4) OR (held.status IS NULL AND held.held_until < now())
       RETURNING token`,
      [scope, key, fingerprint, RETENTION_SECONDS, LEASE_SECONDS],
    );
    return claimed ? { scope, key, token: claimed.token } : null;
  }

  async renew({ scope, key, token }: IdempotencyClaim): Promise<void> {
    await this.records.query(
      `UPDATE idempotency_keys SET held_until = now() + make_interval(secs => $4)
       WHERE scope = $1 AND key = $2 AND token = $3 AND status IS NULL`,
      [scope, key, token, LEASE_SECONDS],
    );
  }

  find(scope: string, key: string): Promise<IdempotencyRecord | null> {
    return this.records.findOneBy({ scope, key });
  }

  /** False when the key was claimed again meanwhile. */
  async storeResponse(claim: IdempotencyClaim, status: number, response: Buffer): Promise<boolean> {
    const { affected } = await this.records.update({ ...claim, status: IsNull() }, { status, response });
    return affected === 1;
  }

  async release(claim: IdempotencyClaim): Promise<void> {
    await this.records.delete({ ...claim, status: IsNull() });
  }

  async deleteScope(scope: string): Promise<void> {
    await this.records.delete({ scope });
  }

  async deleteExpired(): Promise<void> {
    await deleteInBatches(this.records, 'idempotency_keys', 'created_at < now() - make_interval(secs => $1)', [
      RETENTION_SECONDS,
    ]);
  }
}
