import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Its status follows from its tasks. */
@Entity('bulk_uploads')
export class BulkUploadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
