/** The backend's limit, in UTF-16 code units. */
const MAX_LENGTH = 255;

/** Removes folders and control characters and shortens the stem of long names. Undefined when nothing is left. */
export function sanitizeFileName(name: string): string | undefined {
  const base = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (base.length <= MAX_LENGTH) return base || undefined;
  const dot = base.lastIndexOf('.');
  const extension = dot > 0 && base.length - dot <= 10 ? base.slice(dot) : '';
  // Removes half of a surrogate pair.
  const stem = base.slice(0, MAX_LENGTH - extension.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${stem}…${extension}`;
}
