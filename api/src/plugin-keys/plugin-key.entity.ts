import type { KeyScope } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('plugin_keys')
export class PluginKeyRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  /** The start of the key, which is shown to its owner. */
  @Column('text')
  prefix!: string;

  /** SHA-256 of the key: no salt or slow hash is needed for 256 random bits. */
  @Column('bytea')
  hash!: Buffer;

  @Column('text', { array: true })
  scopes!: KeyScope[];

  /** Null until the key is bound to a device. */
  @Column('text', { nullable: true })
  deviceId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** Never unset. */
  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
