/** Whether the page that was sent shows the charges of a trial; absent when the page has no such choice. */
export const SHOWN_TRIAL_FIELD = 'trialShown';

/** Value of the button that shows the chosen order without paying. */
export const UPDATE = 'update';

/**
 * Whether a sent form chooses another order than its page shows, so that the page must be shown again before anything is
 * charged: the switch was used without JavaScript, or less than a page load before the payment.
 */
export function choosesAnotherOrder(fields: URLSearchParams): boolean {
  const shown = fields.get(SHOWN_TRIAL_FIELD);
  const isChosen = fields.get('freeTrialEnabled') === 'true';
  return fields.get('method') === UPDATE || (shown !== null && (shown === 'true') !== isChosen);
}
