import { answerIn, CONSENT_CATEGORIES, type ConsentCategory } from './consent-cookie';

declare global {
  interface Window {
    /** Categories agreed to, comma-separated; set by the consent platform, if configured. */
    OnetrustActiveGroups?: string;
  }
}

/** Where the local banner's form is sent, and the page of its settings. */
export const COOKIES_ADDRESS = '/cookies';

/** Given on this page; the cookie may not have arrived yet. */
let answer: readonly ConsentCategory[] | null = null;
const listeners = new Set<() => void>();

const localAnswer = (): readonly ConsentCategory[] | null => answer ?? answerIn(document.cookie);

/** Categories that the visitor agreed to: on the consent platform, or in the local banner. */
export function agreedCategories(): readonly ConsentCategory[] {
  const groups = window.OnetrustActiveGroups?.split(',');
  return groups ? CONSENT_CATEGORIES.filter((category) => groups.includes(category)) : (localAnswer() ?? []);
}

export const hasConsent = (category: ConsentCategory): boolean => agreedCategories().includes(category);

export const hasAnswered = (): boolean => localAnswer() !== null;

/** Calls back when an answer was given or changed. @returns a function that ends it */
export function onConsentChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function notifyConsentChange(): void {
  for (const listener of listeners) listener();
}

/** Applies an answer at once. The server stores it: Safari keeps cookies of scripts for seven days only. */
export function giveConsent(categories: readonly ConsentCategory[]): void {
  answer = categories;
  notifyConsentChange();
  const body = new URLSearchParams({ choice: 'save', ...Object.fromEntries(categories.map((one) => [one, 'on'])) });
  fetch(COOKIES_ADDRESS, { method: 'POST', body, redirect: 'manual', keepalive: true }).catch(() => {});
}
