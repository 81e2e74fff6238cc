import { report, track } from '../../../telemetry/telemetry';
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
export async function askForMarketingConsent(open: Modals['open']): Promise<void> {
  if (shows() > 0 || !(await mayAsk())) return;
  countShow();
  const outcome = await open('consent:marketing', {});
  track('consent', { consent: 'marketing', action: outcome === 'accepted' ? 'accepted' : 'not_accepted' });
}

/** A question must not become an error message. */
async function mayAsk(): Promise<boolean> {
  try {
    const response = await fetch('/consents/state');
    if (!response.ok) return false;
    const { asksForMarketing } = (await response.json()) as { readonly asksForMarketing: boolean };
    return asksForMarketing;
  } catch (error) {
    report(error);
    return false;
  }
}
