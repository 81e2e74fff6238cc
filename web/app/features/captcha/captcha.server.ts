import { CAPTCHA_HEADER } from '@clearframe/contract';
import { CAPTCHA_FIELD } from './captcha-field';

/** The token of a form with `<Captcha>`, for the caller of a route with `captcha`; null without JavaScript. */
export const captchaTokenOf = (
  form: { readonly [CAPTCHA_FIELD]?: string | undefined },
  request: Request,
): string | null => form[CAPTCHA_FIELD] || request.headers.get(CAPTCHA_HEADER) || null;
