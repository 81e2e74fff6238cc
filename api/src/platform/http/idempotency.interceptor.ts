import { isUtf8 } from 'node:buffer';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { AppConfig } from '../config/app.config.js';
import { sha256Hex } from '../config/seal.js';
import { AppError } from '../errors/app-error.js';
import { addressOf, networkOf } from './address.js';
import { IdempotencyService } from './idempotency.service.js';
import { routeOf } from './route.decorator.js';

const MAX_KEY_LENGTH = 255;
const PRINTABLE = /^\P{C}+$/u;

/**
 * The `Idempotency-Key` header, if there is one.
 * @throws AppError `idempotency.key_invalid`
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = typeof header === 'string' ? decodeHeader(header) : '';
  if ([...key].length <= MAX_KEY_LENGTH && PRINTABLE.test(key)) return key;
  throw new AppError('idempotency.key_invalid', { description: 'At most 255 printable characters.' });
}

/** Node decodes header values as Latin-1; clients send that or UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/**
 * On routes that create or charge. Stores serialized responses. Handlers that read a stream do without it: they know the
 * request only when they have read it.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly app: AppConfig,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { caller?: { userId: string } }>();
    const route = routeOf(context);
    const key = route?.idempotent && !route.upload ? idempotencyKeyOf(request) : undefined;
    if (key === undefined) return next.handle();
    const scope = request.caller?.userId ?? networkOf(addressOf(request, this.app.internalSecret));
    const reply = http.getResponse<FastifyReply>();
    const { response, isRepeated } = await this.idempotency.execute(
      { scope, key, fingerprint: fingerprintOf(request) },
      async () => {
        const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
        return { status: reply.statusCode, body };
      },
    );
    if (isRepeated) {
      reply.status(response.status).header('idempotency-replayed', 'true').header('cache-control', 'no-store');
    }
    return of(response.body ?? undefined);
  }
}

function fingerprintOf(request: FastifyRequest): string {
  return sha256Hex(`${request.method}\n${request.url}\n${JSON.stringify(request.body ?? null)}`);
}
