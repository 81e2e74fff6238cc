import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A gift code. Only its hash is kept; the prefix is what operators tell codes apart by. */
@Entity('gift_codes')
export class GiftCode {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { unique: true })
  codeHash!: string;

  @Column('text')
  prefix!: string;

  /** How much time it gives; null where that follows from its end. */
  @Column('int', { nullable: true })
  days!: number | null;

  /** From this instant on it can't be redeemed, and it gives no more time than is left until then; null for none. */
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
