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

  /** How long it lasts from redeeming; null where it has a fixed end. */
  @Column('int', { nullable: true })
  days!: number | null;

  /** After this instant it can't be redeemed, and what it gave is over; null for none. */
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
