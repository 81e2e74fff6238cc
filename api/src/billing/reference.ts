/**
 * Whether a wallet's `custom_id` (`{userId}-{suffix}`) is of a user. The user's id has dashes of its own, so the suffix
 * is what follows the last one.
 */
export function isReferenceOf(reference: string | null, userId: string): boolean {
  if (reference === null) return false;
  const dash = reference.lastIndexOf('-');
  return dash > 0 && dash < reference.length - 1 && reference.slice(0, dash) === userId;
}

/** The user's part of a wallet's `custom_id`, or null for anything else. */
export function userOfReference(reference: string | null): string | null {
  const userId = reference?.slice(0, reference.lastIndexOf('-')) ?? '';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(userId) ? userId : null;
}
