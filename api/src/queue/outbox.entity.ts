import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A job that was decided on in a transaction and has not been published yet. */
@Entity('outbox')
export class OutboxMessage {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  job!: string;

  @Column('text')
  jobId!: string;

  @Column('jsonb')
  payload!: object;

  @Column('timestamptz')
  createdAt!: Date;
}
