import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Seal } from '../config/seal.js';
import { AppError } from '../errors/app-error.js';
import { type IdempotencyClaim, IdempotencyRepository, type KeyedRequest } from './idempotency.repository.js';

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
