import { track } from './telemetry';

declare global {
  interface Window {
    OneTrust?: { readonly ToggleInfoDisplay: () => void };
  }
}

/** Spec 1, section 9. */
const POLL_MS = 500;
const GIVE_UP_AFTER_MS = 10_000;

/** Buttons of OneTrust's banner and of the settings behind it. */
const BUTTONS = {
  '#onetrust-accept-btn-handler': 'accepted',
  '#accept-recommended-btn-handler': 'accepted',
  '#onetrust-reject-all-handler': 'rejected',
  '.ot-pc-refuse-all-handler': 'rejected',
  '#onetrust-pc-btn-handler': 'customizing',
  '.save-preference-btn-handler': 'customized',
} as const;

/** Tracks the answers to the platform's banner, which appears some time after its script. */
export function watchPlatformBanner(): void {
  const missing = new Set(Object.keys(BUTTONS) as (keyof typeof BUTTONS)[]);
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  const look = (): void => {
    for (const selector of missing) {
      const button = document.querySelector(selector);
      if (!button) continue;
      missing.delete(selector);
      button.addEventListener('click', () => track('cookieBanner', { action: BUTTONS[selector] }));
    }
    if (missing.size > 0 && Date.now() < giveUpAt) setTimeout(look, POLL_MS);
  };
  look();
}

/** Opens the platform's settings; does nothing before its script has arrived. */
export const openPlatformSettings = (): void => window.OneTrust?.ToggleInfoDisplay();
