import { type Environment, readUrl, SettingsError } from './environment.ts';

/** reCAPTCHA v3. */
export interface CaptchaSettings {
  readonly siteKey: string;
  readonly scriptUrl: string;
}

const SCRIPT = 'https://www.google.com/recaptcha/api.js';
/** Google's own hosts; the second one where google.com can't be reached. */
const HOSTS: readonly string[] = ['www.google.com', 'www.recaptcha.net'];

/**
 * Null without a captcha.
 * @throws SettingsError for a script of another host in production
 */
export function readCaptchaSettings(env: Environment, environment: 'local' | 'production'): CaptchaSettings | null {
  const siteKey = env.RECAPTCHA_SITE_KEY;
  if (!siteKey) return null;
  const script = readUrl(env, 'RECAPTCHA_SCRIPT_URL', SCRIPT);
  if (environment === 'production' && (script.protocol !== 'https:' || !HOSTS.includes(script.hostname))) {
    throw new SettingsError(`RECAPTCHA_SCRIPT_URL must be at https://${HOSTS.join(' or https://')} in production.`);
  }
  return { siteKey, scriptUrl: script.href };
}
