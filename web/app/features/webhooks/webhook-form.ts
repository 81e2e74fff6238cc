import { CreateWebhookEndpoint } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import { z } from 'zod';

const { url, events } = CreateWebhookEndpoint.shape;

/** Makes a form that is sent twice take effect once. */
const requestId = z.uuid();

const endpointForm = z.object({
  change: z.literal('save'),
  url: z.string().trim().pipe(url),
  events: events.unwrap(),
  requestId,
});

/** Forms of both pages: without an endpoint in the address, `save` adds one and `roll` replaces the callback secret. */
const webhookForm = z.discriminatedUnion('change', [
  endpointForm,
  z.object({ change: z.literal('roll'), requestId }),
  z.object({ change: z.literal('resend'), deliveryId: z.uuid() }),
  z.object({ change: z.enum(['turnOn', 'turnOff', 'test', 'delete']) }),
]);

export type WebhookForm = z.output<typeof webhookForm>;

export const parseWebhookForm = (fields: URLSearchParams) => parseWithZod(fields, { schema: webhookForm });

export const parseEndpointForm = (fields: FormData) => parseWithZod(fields, { schema: endpointForm });
