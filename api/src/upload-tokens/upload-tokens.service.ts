import { randomBytes, randomUUID } from 'node:crypto';
import { type CreatedUploadToken, type CreateUploadToken, inMilliseconds, may } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { sha256 } from '../platform/config/seal.js';
import { AppError } from '../platform/errors/app-error.js';
import { FlagsService } from '../platform/flags/flags.service.js';
import { type Caller, uploadTokenOf } from '../sessions/caller.js';
import { CallerService } from '../sessions/caller.service.js';
import { SessionService } from '../sessions/session.service.js';
import { acceptRequest } from '../tasks/enhance-request.js';
import { type TokenKey, type UploadTokenRow, UploadTokensRepository } from './upload-tokens.repository.js';

/** 256 bits. */
const SECRET_BYTES = 32;
const MARK = 'cfu_';
const BEARER_TOKEN = /^Bearer (cfu_.*)$/i;

/** The upload token of a request. */
export const uploadTokenIn = ({ headers }: FastifyRequest): string | undefined =>
  BEARER_TOKEN.exec(headers.authorization ?? '')?.[1];

@Injectable()
export class UploadTokensService {
  private readonly logger = new Logger(UploadTokensService.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: UploadTokensRepository,
    private readonly sessions: SessionService,
    private readonly callers: CallerService,
    private readonly flags: FlagsService,
  ) {}

  /**
   * The token appears in this response only.
   * @throws AppError for a pipeline or format that the plan lacks: here, where the developer sees it
   */
  async create(caller: Caller, input: CreateUploadToken): Promise<CreatedUploadToken> {
    const { principal } = caller;
    if (principal.kind !== 'key') throw new Error('a session reached a route that admits keys only');
    const { aiPipeline, outputContentType, origin = null, expiresInSeconds } = input;
    const { removeCap, expRepair } = await this.flags.current();
    acceptRequest(
      caller,
      { imageContentType: 'image/jpeg', aiPipeline, outputContentType },
      { isUncapped: removeCap, hasRepair: expRepair },
    );
    const uploadToken = MARK + randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + inMilliseconds.seconds(expiresInSeconds));
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      await this.repository.deleteExpired(manager);
      await this.repository.insert(manager, {
        id: randomUUID(),
        keyId: principal.keyId,
        hash: sha256(uploadToken),
        aiPipeline: aiPipeline ?? null,
        outputContentType: outputContentType ?? null,
        origin,
        expiresAt,
        usedAt: null,
        taskId: null,
      });
    });
    return { token: uploadToken, expiresAt: expiresAt.toISOString() };
  }

  /**
   * The owner of the token's key, with the rights of their current plan. {@link use} finds out whether it was used.
   * @throws AppError `users.not_authorized` for an unknown token or a key that was revoked or has expired; `upload_tokens.expired`;
   *   `upload_tokens.wrong_origin`; `plugin_keys.not_in_plan`; `tasks.not_found` for a task other than its own
   */
  async require(token: string, { headers: { origin }, params }: FastifyRequest): Promise<Caller> {
    const row = await this.repository.findByHash(sha256(token));
    if (!row) throw new AppError('users.not_authorized', { description: 'The upload token is unknown.' });
    const key = await this.repository.findLiveKey(row.keyId);
    const caller = key && this.callerOf(key, row);
    if (!caller)
      throw new AppError('users.not_authorized', {
        description: 'The key of this upload token is not valid any more.',
      });
    if (row.expiresAt.getTime() <= Date.now()) throw new AppError('upload_tokens.expired');
    if (row.origin !== null && row.origin !== origin) throw new AppError('upload_tokens.wrong_origin');
    if (key.kind === 'live' && !may(caller, 'plugin_key')) throw new AppError('plugin_keys.not_in_plan');
    const { taskId } = Object(params);
    if (taskId !== undefined && taskId !== row.taskId) throw new AppError('tasks.not_found');
    return caller;
  }

  private callerOf({ kind, scopes, perMinute, ...owner }: TokenKey, token: UploadTokenRow): Caller {
    return this.callers.ofKey(owner, kind, { kind: 'key', keyId: token.keyId, scopes, perMinute, uploadToken: token });
  }

  /**
   * Accepts the caller's picture, at most once by an upload token. A refused picture doesn't use it up, so that another one
   * may be sent.
   * @param accept returns the id of the task, which the token may read from then on
   * @throws AppError `upload_tokens.used`
   */
  async use(caller: Caller, accept: () => Promise<string>): Promise<string> {
    const token = uploadTokenOf(caller);
    if (!token) return accept();
    if (!(await this.repository.claim(token.id))) throw new AppError('upload_tokens.used');
    const taskId = await accept().catch(async (error: unknown) => {
      await this.repository.release(token.id).catch((cause: unknown) => {
        this.logger.warn({ err: cause }, 'an upload token stays used');
      });
      throw error;
    });
    await this.repository.setTask(token.id, taskId);
    return taskId;
  }
}
