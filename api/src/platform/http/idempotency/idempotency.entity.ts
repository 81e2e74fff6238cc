import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A POST that was made with an `Idempotency-Key`, and what it was answered. Kept 24 hours. */
@Entity('idempotency_keys')
export class IdempotencyRecord {
  /** Who made it: a user's id, or the network of somebody without a token. */
  @PrimaryColumn('text')
  scope!: string;

  @PrimaryColumn('text')
  key!: string;

  /** SHA-256 of method, path and body. */
  @Column('text')
  fingerprint!: string;

  /** Null while the first request is still running. */
  @Column('int', { nullable: true })
  status!: number | null;

  /** Sealed by {@link Seal}. */
  @Column('bytea', { nullable: true })
  answer!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;
}
