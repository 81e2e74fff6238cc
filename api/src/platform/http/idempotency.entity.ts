import { Column, Entity, PrimaryColumn } from 'typeorm';

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
