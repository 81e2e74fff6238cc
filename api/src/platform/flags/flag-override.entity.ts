import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A flag that operators have set. */
@Entity('flag_overrides')
export class FlagOverride {
  @PrimaryColumn('text')
  name!: string;

  @Column('jsonb')
  value!: unknown;

  @Column('timestamptz')
  updatedAt!: Date;
}
