import { createHash } from 'node:crypto';
import { type SupportRequest, supportRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi, retryWhileInProgress } from '../http/api.server';
import { clientOf } from '../http/client-of.server';
import { tokenOf } from './visitor.server';

interface Sender {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly captchaToken: string | null;
}

/** Sends a message to customer support with what the browser says about itself. @throws ApiError */
export async function sendTicket(
  message: Omit<SupportRequest, 'device' | 'browser'>,
  { request, context, captchaToken }: Sender,
): Promise<void> {
  const body = { ...message, ...clientOf(request.headers.get('user-agent')) };
  const caller = {
    request,
    context,
    captchaToken,
    token: await tokenOf(request, context),
    // The same words sent again, as by a double click, are the same request.
    idempotencyKey: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  };
  await retryWhileInProgress(() => callApi(supportRoutes.createSupportTicket, { body }, caller));
}
