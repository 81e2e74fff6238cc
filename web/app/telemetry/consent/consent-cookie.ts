/** Measurement, and advertising (spec 1, section 9). */
export const CONSENT_CATEGORIES = ['C0002', 'C0004'] as const;
export type ConsentCategory = (typeof CONSENT_CATEGORIES)[number];

const COOKIE = /(?:^|;\s*)clearframe_cookies=([\w.]*)/;

/**
 * The categories that the visitor agreed to; null before an answer.
 * @param cookies a `Cookie` header or `document.cookie`
 */
export function answerIn(cookies: string | null): readonly ConsentCategory[] | null {
  const answer = COOKIE.exec(cookies ?? '')?.[1]?.split('.');
  return answer ? CONSENT_CATEGORIES.filter((category) => answer.includes(category)) : null;
}
