import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, from, mergeMap, type Observable, of, throwError } from 'rxjs';
import { AppConfig } from '../../config/app.config.js';
import { AppError } from '../../errors/app-error.js';
import { addressOf, networkOf } from '../address.js';
import { routeOf } from '../route.decorator.js';
import { IdempotencyService } from './idempotency.service.js';

const MAX_KEY_LENGTH = 255;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * The `Idempotency-Key` header, if there is one.
 * @throws AppError `idempotency.key_invalid`
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= MAX_KEY_LENGTH && PRINTABLE.test(key)) return key;
  throw new AppError('idempotency.key_invalid', { description: 'At most 255 printable characters without spaces.' });
}

/**
 * On routes that create or charge. Stores serialised responses. Handlers that read a stream do without it: they know the
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
    const stored = await this.idempotency.begin(scope, key, fingerprintOf(request));
    if (stored) {
      reply.status(stored.status).header('idempotency-replayed', 'true').header('cache-control', 'no-store');
      return of(stored.body ?? undefined);
    }
    return next.handle().pipe(
      // Once the work is done, no failure releases the key.
      catchError((error: unknown) =>
        from(this.idempotency.release(scope, key)).pipe(mergeMap(() => throwError(() => error))),
      ),
      mergeMap(async (body: unknown) => {
        await this.idempotency.finish(scope, key, { status: reply.statusCode, body });
        return body;
      }),
    );
  }
}

function fingerprintOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method}\n${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('hex');
}
