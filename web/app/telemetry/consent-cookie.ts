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

const PLATFORM_COOKIE = /(?:^|;\s*)OptanonConsent=([^;]*)/;

/** Same as {@link answerIn}, from the cookie of OneTrust: `…&groups=C0001:1,C0002:0&…`, encoded as in a URL. */
export function platformAnswerIn(cookies: string | null): readonly ConsentCategory[] | null {
  const groups = new URLSearchParams(PLATFORM_COOKIE.exec(cookies ?? '')?.[1]).get('groups')?.split(',');
  return groups ? CONSENT_CATEGORIES.filter((category) => groups.includes(`${category}:1`)) : null;
}
