import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Something that staff or an operator did. Never changed, never holds a secret. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn('uuid')
  id!: string;

  /** Who: a user of the product (`user:…`), somebody unknown at an address (`address:…`), an operator (`operator:…`). */
  @Column('text')
  actor!: string;

  /** What, as a dotted name: `secret_menu.check`, `gift_codes.create`. */
  @Column('text')
  action!: string;

  @Column('jsonb')
  details!: object;

  @Column('timestamptz')
  createdAt!: Date;
}
