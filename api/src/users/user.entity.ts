import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody. A guest is a user who has never logged in. Plan and role are not stored: they follow from facts. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('boolean')
  isGuest!: boolean;

  @Column('timestamptz')
  createdAt!: Date;
}
