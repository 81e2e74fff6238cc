import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { inMilliseconds, TIME_LIMITS } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import fastifyHelmet from '@fastify/helmet';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from 'nestjs-pino';
import { AppConfig } from '../platform/config/app.config.js';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { limitConnectionWaits } from '../platform/database/connection-waits.js';
import { DatabaseConfig } from '../platform/database/database.module.js';
import { respondToClientError, respondWithProblem } from '../platform/errors/problem.filter.js';
import { rejectUnsupportedMethods } from '../platform/http/allowed-methods.js';
import { closeConnectionsAtShutdown, closeLingering } from '../platform/http/closing-connections.js';
import { allowOtherOrigins } from '../platform/http/cors.js';
import { announceDeprecations } from '../platform/http/deprecation.js';
import { acceptJsonOnly } from '../platform/http/json-body.js';
import { Metrics, observeRequests } from '../platform/monitoring/metrics.js';
import { mountDocumentation } from '../platform/openapi/documentation.js';
import { AppModule } from './app.module.js';
import { mountQueueBoard } from './queue-board.js';

const JSON_BODY_LIMIT = 1_000_000;
/** Clients that reuse a connection until just before the announced end would meet a closed one while this is busy. */
const KEPT_ALIVE_BUFFER_MS = inMilliseconds.seconds(10);
const REQUEST_ID = /^[\w-]{8,64}$/;

/** A well-formed `x-request-id` header, else a new id. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Paths of the API; media have keys, which stay as they are. */
const API_PATH = /^\/api\/v\d/;

/** The router compares paths as they were sent: `@me` may come as `%40me` (RFC 3986, section 6.2.2.2). */
function normalPathOf({ url = '/' }: { readonly url?: string }): string {
  if (!API_PATH.test(url)) return url;
  const [path = '', ...query] = url.split('?');
  return [path.replaceAll('%40', '@'), ...query].join('?');
}

/** Nest would replace the error handler that is set below. */
class ProblemAdapter extends FastifyAdapter {
  override setErrorHandler() {
    return this.instance;
  }
}

export async function createApp(
  environment: Environment,
  extraModules: readonly Type[] = [],
): Promise<NestFastifyApplication> {
  const adapter = new ProblemAdapter({
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: requestIdOf,
    rewriteUrl: normalPathOf,
    // Forwarded addresses are trusted only with the internal secret of `web`.
    trustProxy: false,
    requestTimeout: TIME_LIMITS.request.api,
    connectionTimeout: TIME_LIMITS.silence.api,
    frameworkErrors: respondWithProblem,
    clientErrorHandler: respondToClientError,
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forEnvironment(environment, extraModules),
    adapter,
    {
      bufferLogs: true,
      abortOnError: false,
      bodyParser: false,
    },
  );
  app.useLogger(app.get(Logger));
  const fastify = app.getHttpAdapter().getInstance();
  fastify.setErrorHandler(respondWithProblem);
  acceptJsonOnly(fastify);
  closeConnectionsAtShutdown(fastify);
  closeLingering(fastify.server);
  fastify.server.keepAliveTimeoutBuffer = KEPT_ALIVE_BUFFER_MS;
  observeRequests(fastify, app.get(Metrics));
  limitConnectionWaits(fastify, app.get(DatabaseConfig).requestWaitMs);
  await app.register(fastifyHelmet, {
    // The OpenAPI page uses inline styles.
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  });
  // Registered after the security headers, which their responses have too, and before any route.
  allowOtherOrigins(fastify);
  announceDeprecations(fastify, app.get(AppConfig).publicUrl);
  rejectUnsupportedMethods(fastify);
  await mountQueueBoard(app);
  await mountDocumentation(fastify, app.get(AppConfig).publicUrl, app.get(LimitsConfig));
  return app;
}
