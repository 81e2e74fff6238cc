import { submit } from '../http/browser-client';
import { COOKIES_ADDRESS, notifyAnswer } from './answer-state';
import { answerIn, CONSENT_CATEGORIES, type ConsentCategory } from './consent-cookie';

declare global {
  interface Window {
    /** Categories agreed to, comma-separated; set by the consent platform, if configured. */
    OnetrustActiveGroups?: string;
  }
}

/** Given on this page; the cookie may not have arrived yet. */
let answer: readonly ConsentCategory[] | null = null;

/** Categories that the visitor agreed to: on the consent platform, or in the local banner. */
export function agreedCategories(): readonly ConsentCategory[] {
  const groups = window.OnetrustActiveGroups?.split(',');
  return groups
    ? CONSENT_CATEGORIES.filter((category) => groups.includes(category))
    : (answer ?? answerIn(document.cookie) ?? []);
}

export const hasConsent = (category: ConsentCategory): boolean => agreedCategories().includes(category);

/** Applies an answer at once. The server stores it: Safari keeps cookies of scripts for seven days only. */
export function giveConsent(categories: readonly ConsentCategory[]): void {
  answer = categories;
  notifyAnswer();
  void submit(COOKIES_ADDRESS, { choice: 'save', ...Object.fromEntries(categories.map((one) => [one, 'on'])) });
}
