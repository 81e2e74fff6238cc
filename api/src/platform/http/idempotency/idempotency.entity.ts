import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Kept 24 hours. */
@Entity('idempotency_keys')
export class IdempotencyRecord {
  /** The caller's user id, or the network of a caller without a token. */
  @PrimaryColumn('text')
  scope!: string;

  @PrimaryColumn('text')
  key!: string;

  /** SHA-256 of method, path and body. */
  @Column('text')
  fingerprint!: string;

  /** Null while the first request runs. */
  @Column('int', { nullable: true })
  status!: number | null;

  @Column('bytea', { name: 'answer', nullable: true })
  response!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;
}
