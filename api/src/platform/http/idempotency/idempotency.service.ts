import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Seal } from '../../crypto/seal.js';
import { AppError } from '../../errors/app-error.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Storing a response is retried for ten minutes. */
const STORE_EVERY_MS = inMilliseconds.seconds(1);
const STORE_ATTEMPTS = 600;

export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
}

const sealContextOf = (scope: string, key: string): string => `${scope} ${key}`;

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
   * Claims the key. Returns the stored response, or null when the request has to be executed.
   * @throws AppError `idempotency.key_reused` for another request's key, `idempotency.in_progress` while the first
   * runs, `idempotency.answer_expired` when the stored response can't be decrypted
   */
  async begin(scope: string, key: string, fingerprint: string): Promise<StoredResponse | null> {
    if (await this.repository.claim(scope, key, fingerprint)) return null;
    const record = await this.repository.find(scope, key);
    if (record && record.fingerprint !== fingerprint) throw new AppError('idempotency.key_reused');
    if (record?.status == null || record.response === null)
      throw new AppError('idempotency.in_progress', { retryAfterSeconds: 1 });
    return { status: record.status, body: await this.open(record.response, sealContextOf(scope, key)) };
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
   * If storing fails, the key stays claimed and storing is retried in the background: a retried request must not repeat
   * the work.
   */
  async finish(scope: string, key: string, stored: StoredResponse): Promise<void> {
    const sealed = await this.seal.seal(JSON.stringify(stored.body ?? null), sealContextOf(scope, key));
    const response = Buffer.from(sealed);
    const store = () => this.repository.storeResponse(scope, key, stored.status, response);
    try {
      await store();
    } catch (error) {
      this.logger.warn({ err: error }, 'a response could not be stored under its idempotency key; retrying');
      void this.storeLater(store);
    }
  }

  private async storeLater(store: () => Promise<unknown>): Promise<void> {
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

  onModuleDestroy(): void {
    this.shutdown.abort();
  }

  async release(scope: string, key: string): Promise<void> {
    await this.repository
      .delete(scope, key)
      .catch((error: Error) => this.logger.warn({ err: error }, 'an idempotency key could not be released'));
  }

  async deleteScope(scope: string): Promise<void> {
    await this.repository.deleteScope(scope);
  }

  async purge(): Promise<void> {
    await this.repository.deleteExpired();
  }
}
