import { CAPTCHA_HEADER } from '@clearframe/contract';
import { CAPTCHA_FIELD } from './captcha';

/** The captcha's token that a form or an address carries, or a script sent as a header; null for none. */
export const captchaTokenIn = (fields: URLSearchParams, request: Request): string | null =>
  fields.get(CAPTCHA_FIELD) || request.headers.get(CAPTCHA_HEADER) || null;
