import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An action of staff or an operator, or a change of an account's keys. Contains no secrets. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn('uuid')
  id!: string;

  /** A user (`user:…`), an unauthenticated client (`address:…`) or an operator (`operator:…`). */
  @Column('text')
  actor!: string;

  /** For instance `gift_codes.create`. */
  @Column('text')
  action!: string;

  @Column('jsonb')
  details!: object;

  @Column('timestamptz')
  createdAt!: Date;
}
