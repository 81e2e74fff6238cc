/** By which of their ids somebody may have called themselves: ours, or the identity provider's, which `@me` calls `id`. */
export interface UserIds {
  readonly userId: string;
  readonly firebaseUid: string | null;
}

/** The user's part of a wallet's `custom_id` (`{userId}-{suffix}`). Ids have dashes too: the suffix follows the last one. */
export function userIdInCustomId(reference: string | null): string | null {
  const dash = reference?.lastIndexOf('-') ?? -1;
  return reference !== null && dash > 0 && dash < reference.length - 1 ? reference.slice(0, dash) : null;
}

/** Whether a wallet's `custom_id` is of a user. */
export function isCustomIdOf(reference: string | null, { userId, firebaseUid }: UserIds): boolean {
  const user = userIdInCustomId(reference);
  return user !== null && (user === userId || user === firebaseUid);
}
