import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Stored as a hash; operators identify codes by the prefix. */
@Entity('gift_codes')
export class GiftCode {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { unique: true })
  codeHash!: string;

  @Column('text')
  prefix!: string;

  @Column('int', { nullable: true })
  days!: number | null;

  /** End of redemption and of the granted time; null for no limit. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('int')
  maxUses!: number;

  @Column('int')
  uses!: number;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}
