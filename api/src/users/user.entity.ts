import { randomUUID } from 'node:crypto';
import { type Locale, type LoginProvider, Preferences } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Identity } from '../identity/identity-provider.js';
import { JsonColumn } from '../platform/database/json-column.js';

@Entity('users')
export class UserRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('boolean')
  isGuest!: boolean;

  @Column('text', { nullable: true, unique: true })
  firebaseUid!: string | null;

  @Column('text', { nullable: true })
  email!: string | null;

  /** An unverified address proves nothing. */
  @Column('boolean', { name: 'email_verified' })
  isEmailVerified!: boolean;

  /** Set by the first login. */
  @Column('text', { nullable: true })
  source!: LoginProvider | null;

  @JsonColumn(Preferences.partial())
  preferences!: Partial<Preferences>;

  @Column('boolean')
  isFree!: boolean;

  @Column('text', { nullable: true })
  language!: Locale | null;

  /** Null without consent; see `consent_changes`. */
  @Column('timestamptz', { nullable: true })
  marketingConsentAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  imageTrainingConsentAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** When the guest's data was moved to an account. The guest is unused from then on. */
  @Column('timestamptz', { nullable: true })
  movedAt!: Date | null;
}

export const newUser = (identity: Identity | null): UserRow => ({
  id: randomUUID(),
  isGuest: identity === null,
  firebaseUid: identity?.uid ?? null,
  email: identity?.email ?? null,
  isEmailVerified: identity?.isEmailVerified ?? false,
  source: identity?.source ?? null,
  preferences: {},
  isFree: false,
  language: null,
  marketingConsentAt: null,
  imageTrainingConsentAt: null,
  createdAt: new Date(),
  movedAt: null,
});
