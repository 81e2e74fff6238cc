import { CAPTCHA_HEADER } from '@clearframe/contract';
import { CAPTCHA_FIELD } from './captcha';

/** The captcha token of a form, or of a script's header; null without one. */
export const captchaTokenOf = (
  form: { readonly [CAPTCHA_FIELD]?: string | undefined },
  request: Request,
): string | null => form[CAPTCHA_FIELD] ?? (request.headers.get(CAPTCHA_HEADER) || null);
