import type { Locale, LoginProvider, Preferences } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody. A guest is a user who has never logged in. Plan and role are not stored: they follow from facts. */
@Entity('users')
export class UserRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('boolean')
  isGuest!: boolean;

  /** The identity provider's name for them; null for a guest. */
  @Column('text', { nullable: true, unique: true })
  firebaseUid!: string | null;

  /** Where they can be reached, in lower case. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The provider has made sure that the address is theirs. One that it has not proves nothing to anybody. */
  @Column('boolean', { name: 'email_verified' })
  isEmailVerified!: boolean;

  /** How they signed in first. */
  @Column('text', { nullable: true })
  source!: LoginProvider | null;

  /** What they have chosen; the rest is the product's default. */
  @Column('jsonb')
  preferences!: Partial<Preferences>;

  /** Set by staff. */
  @Column('boolean')
  isFree!: boolean;

  /** In which they are written to: the one they used last; null while it is not known. */
  @Column('text', { nullable: true })
  language!: Locale | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** When everything a guest had went to an account; nobody is this guest any more. */
  @Column('timestamptz', { nullable: true })
  movedAt!: Date | null;
}
