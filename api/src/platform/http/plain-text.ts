/**
 * Where in a value there is a string that no text can be: with a NUL, which PostgreSQL does not store, or with half of a
 * surrogate pair, which no encoding has. Null when all is well.
 */
export function unstorablePath(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = unstorablePath(member, [...path, key]);
    if (found) return found;
  }
  return null;
}
