import type { Role } from '@clearframe/contract';

/** Somebody has signed in; the cookies are theirs. */
export interface LoginDone {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly role: Role;
  /** Where an onboarding elsewhere wants to go on, or null. */
  readonly next: string | null;
}
