import { isUtf8 } from 'node:buffer';
import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { AppConfig } from '../config/app.config.js';
import { Seal, sha256Hex } from '../config/seal.js';
import { AppError } from '../errors/app-error.js';
import { addressOf, networkOf } from './address.js';
import { type IdempotencyClaim, IdempotencyRepository, type KeyedRequest } from './idempotency.repository.js';
import { routeOf } from './route.decorator.js';

/** A quarter of the lease, so that two renewals may fail. */
export const RENEW_EVERY_MS = inMilliseconds.seconds(15);
/** Storing a response is retried for ten minutes. */
const STORE_EVERY_MS = inMilliseconds.seconds(1);
const STORE_ATTEMPTS = 600;

export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
}

interface Executed {
  readonly response: StoredResponse;
  /** An earlier request had the same key. */
  readonly isRepeated: boolean;
}

const sealContextOf = ({ scope, key }: { scope: string; key: string }): string => `${scope} ${key}`;

/** Stores responses by idempotency key, so that a retried request is not executed twice. */
@Injectable()
export class IdempotencyService implements OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly shutdown = new AbortController();

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly seal: Seal,
  ) {}

  /**
   * Executes the work of the key's first request, or returns its stored response. Work that fails releases the key.
   * @throws AppError `idempotency.key_reused` for another request's key, `idempotency.in_progress` while the first
   * runs, `idempotency.answer_expired` when the stored response can't be decrypted
   */
  async execute(request: KeyedRequest, work: () => Promise<StoredResponse>): Promise<Executed> {
    const claim = await this.repository.claim(request);
    if (!claim) return { response: await this.stored(request), isRepeated: true };
    const renewal = setInterval(() => void this.renew(claim), RENEW_EVERY_MS).unref();
    let response: StoredResponse;
    try {
      response = await work();
    } catch (error) {
      clearInterval(renewal);
      await this.release(claim);
      throw error;
    }
    // Once the work is done, no failure releases the key.
    await this.finish(claim, response, () => clearInterval(renewal));
    return { response, isRepeated: false };
  }

  async deleteScope(scope: string): Promise<void> {
    await this.repository.deleteScope(scope);
  }

  async purge(): Promise<void> {
    await this.repository.deleteExpired();
  }

  onModuleDestroy(): void {
    this.shutdown.abort();
  }

  private async stored(request: KeyedRequest): Promise<StoredResponse> {
    const record = await this.repository.find(request.scope, request.key);
    if (record && record.fingerprint !== request.fingerprint) throw new AppError('idempotency.key_reused');
    if (record?.status == null || record.response === null)
      throw new AppError('idempotency.in_progress', { retryAfterSeconds: 1 });
    return { status: record.status, body: await this.open(record.response, sealContextOf(request)) };
  }

  /** The encryption key or the format may have changed; repeating the work could charge twice. */
  private async open(response: Buffer, context: string): Promise<unknown> {
    try {
      return JSON.parse(await this.seal.open(response.toString(), context));
    } catch (cause) {
      this.logger.warn({ err: cause }, 'a stored response could not be decrypted');
      throw new AppError('idempotency.answer_expired', {
        description: 'The first request was carried out. Read its result before repeating it with a new key.',
        cause,
      });
    }
  }

  /**
   * If storing fails, it is retried in the background with a renewed claim: a retried request must not repeat the work.
   */
  private async finish(claim: IdempotencyClaim, stored: StoredResponse, onEnd: () => void): Promise<void> {
    const store = () => this.store(claim, stored);
    try {
      await store();
      onEnd();
    } catch (error) {
      this.logger.warn({ err: error }, 'a response could not be stored under its idempotency key; retrying');
      void this.storeLater(store).finally(onEnd);
    }
  }

  private async store(claim: IdempotencyClaim, { status, body }: StoredResponse): Promise<void> {
    const sealed = await this.seal.seal(JSON.stringify(body ?? null), sealContextOf(claim));
    if (await this.repository.storeResponse(claim, status, Buffer.from(sealed))) return;
    this.logger.warn('a response was not stored: its idempotency key was claimed again or deleted');
  }

  private async storeLater(store: () => Promise<void>): Promise<void> {
    for (let attempt = 0; attempt < STORE_ATTEMPTS; attempt++) {
      try {
        await delay(STORE_EVERY_MS, undefined, { signal: this.shutdown.signal, ref: false });
        await store();
        return;
      } catch {
        if (this.shutdown.signal.aborted) return;
      }
    }
    this.logger.error('a response was not stored under its idempotency key');
  }

  private async renew(claim: IdempotencyClaim): Promise<void> {
    await this.repository
      .renew(claim)
      .catch((error: Error) =>
        this.logger.warn({ err: error }, 'the claim of an idempotency key could not be renewed'),
      );
  }

  private async release(claim: IdempotencyClaim): Promise<void> {
    await this.repository
      .release(claim)
      .catch((error: Error) => this.logger.warn({ err: error }, 'an idempotency key could not be released'));
  }
}

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
