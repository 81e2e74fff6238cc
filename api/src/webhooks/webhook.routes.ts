import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import type { PaymentProvider } from '../providers/payment-provider.js';
import type { WebhookLimit } from './webhook-limit.js';
import type { WebhooksService } from './webhooks.service.js';

export type WebhookSenders = ReadonlyMap<string, Pick<PaymentProvider, 'readEvent'>>;

/** More than any event needs. */
const MAX_BYTES = 262_144;

/** Unparsed: the signature covers the exact bytes. */
async function rawBodyOf(request: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Otherwise leaving the loop closes the connection before the error is sent.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new AppError('request.too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface WebhookHandling {
  readonly senders: WebhookSenders;
  readonly limit: Pick<WebhookLimit, 'count'>;
  readonly webhooks: WebhooksService;
}

export function registerWebhooks(fastify: FastifyInstance, { senders, limit, webhooks }: WebhookHandling): void {
  fastify.post<{ Params: { sender: string } }>('/api/webhooks/:sender', async (request, reply) => {
    const { sender } = request.params;
    const provider = senders.get(sender);
    if (!provider) throw new AppError('request.not_found');
    await limit.count(request);
    const event = await provider.readEvent(await rawBodyOf(request), request.headers);
    if (!event) throw new AppError('webhooks.signature_invalid');
    const isNew = await webhooks.receive(sender, event);
    if (isNew) webhooks.processInBackground(sender, event.id);
    return reply.status(200).header('cache-control', 'no-store').send({ received: true });
  });
}
