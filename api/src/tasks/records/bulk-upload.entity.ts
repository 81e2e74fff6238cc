import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Pictures that were announced together. Its state follows from its tasks'. */
@Entity('bulk_uploads')
export class BulkUploadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
