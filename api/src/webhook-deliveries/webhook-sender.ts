import { inMilliseconds, WEBHOOK_TIMES, type WebhookAttempt } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { isTooSlow, type OutboundAnswer, OutboundHttp } from '../platform/outbound/outbound-http.js';

/** Of an attempt, from the look-up of the host to the end of the answer. */
export const ATTEMPT_TIMEOUT_MS = inMilliseconds.seconds(WEBHOOK_TIMES.answer);
/** More of an answer is not read. */
const ANSWER_MAX_BYTES = 4_000;
const EXCERPT_LENGTH = 1_000;

export interface Sent {
  readonly attempt: WebhookAttempt;
  /** What the answer's `Retry-After` asks for. */
  readonly retryAfterMs: number | null;
}

/** Makes the requests of deliveries. Redirects are not followed: the owner gives the address that receives. */
@Injectable()
export class WebhookSender {
  constructor(private readonly outbound: OutboundHttp) {}

  /** Answers for every failure of the other side. @throws the reason of an aborted signal */
  async send(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Sent> {
    const startedAt = new Date();
    const finish = (
      outcome: Pick<WebhookAttempt, 'status' | 'error' | 'answer'>,
      retryAfterMs: number | null = null,
    ) => ({
      attempt: { ...outcome, at: startedAt.toISOString(), durationMs: Date.now() - startedAt.getTime() },
      retryAfterMs,
    });
    try {
      const answer = await this.outbound.send(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Clearframe-Webhooks/1' },
        body,
        signal,
        limits: { headersMs: ATTEMPT_TIMEOUT_MS, totalMs: ATTEMPT_TIMEOUT_MS },
      });
      const outcome = { status: answer.status, error: null, answer: await excerptOf(answer) };
      return finish(outcome, retryAfterOf(answer));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return finish({ status: null, error: reasonOf(error), answer: '' });
    }
  }
}

function reasonOf(error: AppError): WebhookAttempt['error'] {
  if (error.code === 'uploads.address_refused') return 'address_refused';
  return isTooSlow(error) ? 'timed_out' : 'unreachable';
}

/** An answer that breaks off has its status: the receiver has decided. */
async function excerptOf({ body }: OutboundAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_MAX_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  } finally {
    body.destroy();
  }
  // PostgreSQL stores neither NUL nor halves of characters.
  return Buffer.concat(chunks).toString().replaceAll('\0', '').slice(0, EXCERPT_LENGTH).toWellFormed();
}

function retryAfterOf({ headers }: OutboundAnswer): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = Number(value);
  const waitMs = Number.isFinite(seconds) ? inMilliseconds.seconds(seconds) : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
