import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Tasks that were created together. Its status follows from theirs. */
@Entity('bulk_uploads')
export class BulkUploadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
