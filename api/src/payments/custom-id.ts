export interface UserIds {
  readonly userId: string;
  readonly firebaseUid: string | null;
}

export function userIdInCustomId(customId: string | null): string | null {
  const dash = customId?.lastIndexOf('-') ?? -1;
  return customId !== null && dash > 0 && dash < customId.length - 1 ? customId.slice(0, dash) : null;
}

export function isCustomIdOf(customId: string | null, { userId, firebaseUid }: UserIds): boolean {
  const user = userIdInCustomId(customId);
  return user !== null && (user === userId || user === firebaseUid);
}
