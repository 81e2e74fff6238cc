/** Longest file name the backend takes, in UTF-16 units. */
const MAX_LENGTH = 255;

/**
 * A visitor's file name as the backend takes it: without folders and control characters, and when it is too long,
 * shortened at the end of its stem so that the extension stays. Undefined where nothing is left.
 */
export function presentableFileName(name: string): string | undefined {
  const base = name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (base.length <= MAX_LENGTH) return base || undefined;
  const dot = base.lastIndexOf('.');
  const extension = dot > 0 && base.length - dot <= 10 ? base.slice(dot) : '';
  // A cut through the middle of a character leaves half of it.
  const stem = base.slice(0, MAX_LENGTH - extension.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${stem}…${extension}`;
}
