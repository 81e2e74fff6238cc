declare global {
  interface Window {
    /** Categories agreed to, comma-separated; set by the consent banner, if configured. */
    OnetrustActiveGroups?: string;
  }
}

/** Measurement, and advertising (spec 1, section 9). */
export type ConsentCategory = 'C0002' | 'C0004';

/** Whether the visitor has agreed to a category; false without a banner. */
export const hasConsent = (category: ConsentCategory): boolean =>
  (window.OnetrustActiveGroups ?? '').split(',').includes(category);
