import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('flag_overrides')
export class FlagOverride {
  @PrimaryColumn('text')
  name!: string;

  @Column('jsonb')
  value!: unknown;

  @Column('timestamptz')
  updatedAt!: Date;
}
