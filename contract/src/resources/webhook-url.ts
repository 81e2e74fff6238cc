import { z } from 'zod';

/** https, and in development http to the machine itself. Its host is checked when it is given and at each delivery. */
export const WebhookUrl = z
  .url({ protocol: /^https?$/, error: 'Must be an https address' })
  .max(2_000)
  .describe('Receives events by POST, signed by the Standard Webhooks scheme. A public https address.');

/** Request field of routes that create media: receives the events of what the request creates. */
export const CallbackUrl = WebhookUrl.describe(
  'Receives the events of this request, whatever the endpoints of the account choose. Signed with the callback secret of the account.',
);

/** Errors of every route that takes an address which requests are made to. */
export const ADDRESS_ERRORS = ['uploads.address_refused', 'uploads.address_unreachable'] as const;

/** Errors of a {@link CallbackUrl}: the last one for callers without a key. */
export const CALLBACK_ERRORS = [...ADDRESS_ERRORS, 'webhook_endpoints.not_in_plan'] as const;
