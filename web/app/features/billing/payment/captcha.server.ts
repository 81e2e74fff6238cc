import { CAPTCHA_HEADER } from '@clearframe/contract';
import { CAPTCHA_FIELD } from './captcha';

/** The captcha token of a form, an address or a script's header; null for none. */
export const captchaTokenIn = (fields: URLSearchParams, request: Request): string | null =>
  fields.get(CAPTCHA_FIELD) || request.headers.get(CAPTCHA_HEADER) || null;
