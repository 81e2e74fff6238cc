import { once } from 'node:events';
import { ReadStream } from 'node:fs';
import { isSafeObjectKey } from '@clearframe/contract';
import { contentDispositionOf, ObjectStore, ObjectStoreModule, StorageConfig } from '@clearframe/runtime/storage';
import send from '@fastify/send';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../config/app.config.js';
import { AppError } from '../errors/app-error.js';
import { rawScope } from '../http/json-body.js';
import { requireSignedQuery, SigningConfig } from './signed-url.js';

/** Serves objects of the disk store; S3 serves its own. */
@Module({
  imports: [
    ObjectStoreModule.signing({
      inject: [SigningConfig, AppConfig],
      useFactory: ({ secret }: SigningConfig, { publicUrl }: AppConfig) => ({ secret, baseUrl: `${publicUrl}/media/` }),
    }),
  ],
})
export class StorageModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly store: ObjectStore,
    private readonly storage: StorageConfig,
    private readonly signing: SigningConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.store.checkWritable();
    const { settings } = this.storage;
    if (settings.driver !== 'disk') return;
    await rawScope(this.adapter.httpAdapter.getInstance<FastifyInstance>(), (scope) =>
      registerMediaRoutes(scope, settings.root, this.signing.secret),
    );
  }
}

/** Prevents scripts, framing and content sniffing. */
const MEDIA_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=3600',
} as const;

/**
 * Serves objects of the disk store by signed URL, with ranges. `download=1` makes the browser save the file.
 * @param root folder of all objects
 */
function registerMediaRoutes(fastify: FastifyInstance, root: string, signingSecret: string): void {
  fastify.get('/media/*', { config: { cors: true } }, async (request: FastifyRequest, reply: FastifyReply) => {
    const key = (request.params as { '*': string })['*'];
    const query = request.query as Record<string, unknown>;
    if (!isSafeObjectKey(key)) throw new AppError('media.not_found');
    const claims = requireSignedQuery(signingSecret, query, {
      method: 'GET',
      key,
      names: ['expires', 'type', 'name'],
      invalid: 'media.url_invalid',
      expired: 'media.url_expired',
    });
    // Applies below the root, which may itself be in a hidden folder.
    const result = await send(request.raw, key, {
      root,
      cacheControl: false,
      dotfiles: 'deny',
      index: false,
    });
    const { 'content-type': _guessed, ...headers } = result.headers as Record<string, string>;
    if (result.statusCode === 416) {
      reply.header('content-range', headers['Content-Range'] ?? headers['content-range']);
      throw new AppError('media.range_invalid');
    }
    if (result.type !== 'file') throw new AppError('media.not_found');
    // Opened after it was looked up: it may have been deleted between.
    if (result.stream instanceof ReadStream)
      await once(result.stream, 'open').catch((error) => {
        throw error.code === 'ENOENT' ? new AppError('media.not_found') : error;
      });
    return reply
      .status(result.statusCode)
      .headers({ ...headers, ...MEDIA_HEADERS })
      .header('content-type', claims.type)
      .header(
        'content-disposition',
        contentDispositionOf(query.download === '1' ? 'attachment' : 'inline', claims.name ?? ''),
      )
      .send(result.stream);
  });
}
