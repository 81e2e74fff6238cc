import { inMilliseconds, ROUTES, SANDBOX_ROUTES } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import fastifyHelmet from '@fastify/helmet';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { Logger } from 'nestjs-pino';
import { AppConfig } from '../platform/config/app.config.js';
import { answerProblem } from '../platform/errors/problem.filter.js';
import { answerClientError } from '../platform/http/client-error.js';
import { takeJsonOnly } from '../platform/http/json-body.js';
import { mountedRoutes } from '../platform/http/mounted-routes.js';
import { requestIdOf } from '../platform/http/request-id.js';
import { Metrics } from '../platform/monitoring/metrics.js';
import { observeRequests } from '../platform/monitoring/observe.js';
import { openApiDocument } from '../platform/openapi/document.js';
import { AppModule } from './app.module.js';

const JSON_BODY_LIMIT = 1_000_000;
const IDLE_CONNECTION_MS = inMilliseconds.minutes(1);
const LONGEST_REQUEST_MS = inMilliseconds.minutes(30);

/** Nest sets its own handler for Fastify's refusals when it is too late to have an effect; ours is there already. */
class ProblemAdapter extends FastifyAdapter {
  override setErrorHandler() {
    return this.instance;
  }
}

/**
 * The whole api, ready to listen. Tests start the same thing.
 * @param extraModules added to those of the product, as by a test that declares a kind of run
 */
export async function createApp(
  environment: Environment,
  extraModules: readonly Type[] = [],
): Promise<NestFastifyApplication> {
  const adapter = new ProblemAdapter({
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: requestIdOf,
    // A visitor's address comes from `web` under a secret, never from a header alone.
    trustProxy: false,
    // A large upload over a slow line may take its time; `web` gives it as much. Who drips bytes does not stay for ever.
    requestTimeout: LONGEST_REQUEST_MS,
    connectionTimeout: IDLE_CONNECTION_MS,
    frameworkErrors: answerProblem,
    clientErrorHandler: answerClientError,
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
  fastify.setErrorHandler(answerProblem);
  takeJsonOnly(fastify);
  observeRequests(fastify, app.get(Metrics));
  await app.register(fastifyHelmet, {
    // The readable documentation styles itself inline; nothing else here is a page.
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
  const mounted = mountedRoutes(app);
  const routes = [...ROUTES, ...SANDBOX_ROUTES.filter((row) => mounted.has(row))];
  const { publicUrl } = app.get(AppConfig);
  // Made for the first reader: it takes 80 ms, a fifth of a start.
  SwaggerModule.setup('api/docs', app, () => openApiDocument(routes, publicUrl) as never, {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
  });
  return app;
}
