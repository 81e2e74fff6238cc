export const CAPTCHA_FIELD = 'captchaToken';
