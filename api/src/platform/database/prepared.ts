const names = new Map<string, string>();

/**
 * A statement that runs for every request. Each connection prepares it once: PostgreSQL plans others for each call, which
 * takes three quarters of the time of that for a caller's entitlements. Its plan must not depend on the values, and a
 * migration must not change the types of its columns while earlier processes run.
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, `prepared_${names.size + 1}`);
  return text;
}

export const preparedNameOf = (text: string): string | undefined => names.get(text);
