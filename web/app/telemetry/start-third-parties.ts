import type { ThirdParties } from '../../server/config/settings.ts';
import { notifyAnswer, onAnswer } from './answer-state';
import { agreedCategories, hasConsent } from './cookie-consent';
import { track } from './telemetry';

declare global {
  interface Window {
    /** Called by the consent platform when it is ready and after each answer. */
    OptanonWrapper?: () => void;
  }
}

let isStarted = false;

/** The consent platform is loaded at once, the tag manager and the survey when the visitor has agreed to them. */
export function startThirdParties({ tagManagerUrl, consentPlatform, surveyUrl }: ThirdParties, nonce?: string): void {
  // React's strict mode runs effects twice.
  if (isStarted) return;
  isStarted = true;
  const load = (src: string, data: Readonly<Record<string, string>> = {}): void => loadScript(src, nonce, data);
  const apply = (): void => {
    announceConsent();
    if (tagManagerUrl && agreedCategories().length > 0) startTagManager(() => load(tagManagerUrl));
    if (surveyUrl && hasConsent('C0002')) load(surveyUrl);
  };
  onAnswer(apply);
  apply();
  if (!consentPlatform) return;
  window.OptanonWrapper = notifyAnswer;
  load(consentPlatform.scriptUrl, { domainScript: consentPlatform.domainId });
  watchPlatformBanner();
}

let hasTagManager = false;

/** Its container measures from `gtm.start`, which comes before its script. */
function startTagManager(load: () => void): void {
  if (hasTagManager) return;
  hasTagManager = true;
  window.dataLayer ??= [];
  window.dataLayer.push({ 'gtm.start': Date.now(), event: 'gtm.js' });
  load();
}

const loaded = new Set<string>();

function loadScript(src: string, nonce: string | undefined, data: Readonly<Record<string, string>>): void {
  if (loaded.has(src)) return;
  loaded.add(src);
  const script = document.createElement('script');
  Object.assign(script, { src, async: true });
  Object.assign(script.dataset, data);
  // A tag manager passes it on to the scripts that it adds.
  if (nonce) script.nonce = nonce;
  document.head.append(script);
}

/** Tells tags which categories are agreed to, by the event and the variable of OneTrust's integration. */
function announceConsent(): void {
  window.dataLayer ??= [];
  const groups = `,${['C0001', ...agreedCategories()].join(',')},`;
  window.dataLayer.push({ event: 'OneTrustGroupsUpdated', OnetrustActiveGroups: groups });
}

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
function watchPlatformBanner(): void {
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
