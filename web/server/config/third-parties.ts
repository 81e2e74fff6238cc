import { type Environment, readOrigins, readUrl, SettingsError } from './environment.ts';

interface ConsentPlatformSettings {
  /** OneTrust's id of the site. */
  readonly domainId: string;
  readonly scriptUrl: string;
}

/** Scripts of others, each null unless configured. */
export interface ThirdParties {
  /** Includes the container's id. */
  readonly tagManagerUrl: string | null;
  /** Replaces the product's own banner. */
  readonly consentPlatform: ConsentPlatformSettings | null;
  readonly surveyUrl: string | null;
}

const TAG_MANAGER = 'https://www.googletagmanager.com/gtm.js';
const CONSENT_PLATFORM = 'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js';

/** @throws SettingsError for a script over plain HTTP in production */
export function readThirdParties(env: Environment, environment: 'local' | 'production'): ThirdParties {
  const address = (name: string, fallback = ''): URL => {
    const url = readUrl(env, name, fallback);
    if (environment === 'local' || url.protocol === 'https:') return url;
    throw new SettingsError(`${name} must begin with https:// in production: its script runs in every page.`);
  };
  const { TAG_MANAGER_ID: container, CONSENT_PLATFORM_ID: domainId } = env;
  return {
    tagManagerUrl: container ? withId(address('TAG_MANAGER_SCRIPT_URL', TAG_MANAGER), container) : null,
    consentPlatform: domainId
      ? { domainId, scriptUrl: address('CONSENT_PLATFORM_SCRIPT_URL', CONSENT_PLATFORM).href }
      : null,
    surveyUrl: env.SURVEY_SCRIPT_URL ? address('SURVEY_SCRIPT_URL').href : null,
  };
}

function withId(url: URL, id: string): string {
  url.searchParams.set('id', id);
  return url.href;
}

/** Origins that the scripts need in the content security policy: their own, and `THIRD_PARTY_ORIGINS`. */
export function readThirdPartyOrigins(env: Environment, parties: ThirdParties): readonly string[] {
  const urls = [parties.tagManagerUrl, parties.consentPlatform?.scriptUrl, parties.surveyUrl];
  const own = urls.flatMap((url) => (url ? [new URL(url).origin] : []));
  return own.length === 0 ? [] : [...new Set([...own, ...readOrigins(env, 'THIRD_PARTY_ORIGINS')])];
}
