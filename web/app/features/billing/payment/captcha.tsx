/** Name of the field, and of the parameter on the way back from a payment page, that holds the captcha's token. */
export const CAPTCHA_FIELD = 'captchaToken';

/** The captcha's token in a form that pays. Filled by the captcha's script where one is configured. */
export const CaptchaField = () => <input type="hidden" name={CAPTCHA_FIELD} />;
