import { randomUUID } from 'node:crypto';
import type { Identity } from '../identity/provider/identity-provider.js';
import type { UserRow } from './user.entity.js';

/** The row of somebody who has just come: with an identity a member, without one a guest. */
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
  createdAt: new Date(),
  movedAt: null,
});
