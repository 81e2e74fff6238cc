// In a module of its own: the banner on every page needs only this.

/** Where the local banner's form is sent, and the page of its settings. */
export const COOKIES_ADDRESS = '/cookies';

/** The cookie may not have arrived yet. */
let isAnswered = false;
const listeners = new Set<() => void>();

export const hasAnswered = (): boolean => isAnswered || document.cookie.includes('clearframe_cookies=');

/** Calls back when an answer was given or changed. @returns a function that ends it */
export function onAnswer(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function notifyAnswer(): void {
  isAnswered = true;
  for (const listener of listeners) listener();
}
