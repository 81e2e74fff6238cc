/** The field of a form that has the captcha token. */
export const CAPTCHA_FIELD = 'captchaToken';
