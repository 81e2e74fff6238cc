import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** Request header, on routes that require a captcha. */
export const CAPTCHA_HEADER = 'x-captcha-token';

/** `reasons` are the provider's codes; empty for a valid token. */
export const CaptchaVerdict = z
  .object({
    valid: z.boolean().describe('The token is valid.'),
    reasons: z.array(z.string()).describe('Codes of the captcha’s provider; empty for a valid token.'),
  })
  .meta({ id: 'CaptchaVerdict' });
export type CaptchaVerdict = z.infer<typeof CaptchaVerdict>;

/** Verification of captcha tokens. */
export const captchaRoutes = {
  verifyCaptcha: defineRoute({
    method: 'POST',
    path: '/recaptcha/verify',
    tag: 'support',
    summary: 'Verify a captcha token',
    description: 'Asks the captcha’s provider whether a token is valid.',
    allow: 'anyone',
    body: z
      .object({ recaptchaToken: z.string().min(1).max(10_000).describe('The token that the captcha gave the page.') })
      .meta({ id: 'VerifyCaptcha' }),
    responses: { 200: CaptchaVerdict },
    errors: ['service.not_configured'],
    limit: 'writes',
  }),
} as const;
