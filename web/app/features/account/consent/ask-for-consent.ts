import { track } from '../../../telemetry/telemetry';
import type { Modals } from '../../modals/create-modals';

/** How often this browser has asked; spec 1, section 4. */
const COUNT_KEY = 'clearframe:marketing-consent-shows';

let countInMemory = 0;

function shows(): number {
  try {
    return Number(localStorage.getItem(COUNT_KEY) ?? 0);
  } catch {
    return countInMemory;
  }
}

function countShow(): void {
  countInMemory = shows() + 1;
  try {
    localStorage.setItem(COUNT_KEY, String(countInMemory));
  } catch {
    // Without storage, until the page is closed.
  }
}

/** Asks a member without the consent whether news and offers may be mailed, once per browser. */
export async function askForMarketingConsent(open: Modals['open'], known?: FollowUp): Promise<void> {
  if (shows() > 0) return;
  const { asksForMarketing } = known ?? (await fetchFollowUp());
  if (!asksForMarketing) return;
  countShow();
  const outcome = await open('consent:marketing', {});
  track('consent', { consent: 'marketing', action: outcome === 'accepted' ? 'accepted' : 'not_accepted' });
}

export interface FollowUp {
  readonly asksForMarketing: boolean;
  readonly offersPluginKey: boolean;
}

const NOTHING: FollowUp = { asksForMarketing: false, offersPluginKey: false };

/** What may be asked of and offered to the visitor. A question must not become an error message. */
export async function fetchFollowUp(): Promise<FollowUp> {
  try {
    const response = await fetch('/consents/state');
    return response.ok ? await response.json() : NOTHING;
  } catch {
    return NOTHING;
  }
}
