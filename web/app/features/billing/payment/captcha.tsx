export const CAPTCHA_FIELD = 'captchaToken';

/** Filled by the captcha's script, if configured. */
export const CaptchaField = () => <input type="hidden" name={CAPTCHA_FIELD} />;
