/** Set by the forms of the help pages, shown by the home page. */
export const SENT_FLASH = 'support:contact.sent';

/** Spec 1, section 9. */
export const SENT_TOAST_MS = 4_000;
export const PROBLEM_TOAST_MS = 10_000;
