import { CONSENT_CATEGORIES } from '../../telemetry/consent-cookie';
import { giveConsent } from '../../telemetry/cookie-consent';
import { track } from '../../telemetry/telemetry';

export function answerBanner(accepts: boolean): void {
  giveConsent(accepts ? CONSENT_CATEGORIES : []);
  track('cookieBanner', { action: accepts ? 'accepted' : 'rejected' });
  // The button that had the focus is gone.
  document.getElementById('content')?.focus({ preventScroll: true });
}
