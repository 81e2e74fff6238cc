/** Ids accepted in a wallet's `custom_id`: ours, or the identity provider's, which `@me` returns as `id`. */
export interface UserIds {
  readonly userId: string;
  readonly firebaseUid: string | null;
}

/** The user id in a wallet's `custom_id` (`{userId}-{suffix}`). Ids contain dashes; the suffix doesn't. */
export function userIdInCustomId(customId: string | null): string | null {
  const dash = customId?.lastIndexOf('-') ?? -1;
  return customId !== null && dash > 0 && dash < customId.length - 1 ? customId.slice(0, dash) : null;
}

/** Whether a wallet's `custom_id` names a user. */
export function isCustomIdOf(customId: string | null, { userId, firebaseUid }: UserIds): boolean {
  const user = userIdInCustomId(customId);
  return user !== null && (user === userId || user === firebaseUid);
}
