import type { Environment } from '@clearframe/runtime/config';
import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IdentityConfig } from '../identity/identity-provider.js';
import { MailConfig } from '../mail/mail.config.js';
import { MobileConfig } from '../mobile-accounts/mobile-accounts.js';
import { AppError } from '../platform/errors/app-error.js';
import { rawScope } from '../platform/http/json-body.js';
import { fetchSandbox } from '../platform/sandbox.js';
import { paymentsProviderIn } from '../providers/payments.config.js';
import { CLOCK_HEADER } from '../providers/sandbox/sandbox-clock.js';

const FORWARDED_HEADERS = [
  'content-type',
  'location',
  'content-security-policy',
  'cache-control',
  'referrer-policy',
  CLOCK_HEADER,
];

const PAYMENT_PATHS = [
  'payments/*',
  'clock',
  'webhooks',
  'scripts/*',
  'paypal-sdk/*',
  'pages/checkout',
  'pages/authenticate',
  'pages/portal/*',
  'pages/wallet/*',
];

/** Paths of the sandbox that stand in for a provider that isn't configured. */
function pathsIn(environment: Environment): string[] {
  return [
    ...(paymentsProviderIn(environment) === 'sandbox' ? PAYMENT_PATHS : []),
    ...(IdentityConfig.fromEnvironment(environment).provider === 'sandbox' ? ['identity/*'] : []),
    ...(MailConfig.fromEnvironment(environment).smtpUrl === null ? ['mail', 'pages/mail/*'] : []),
    ...(MobileConfig.fromEnvironment(environment).sandboxUrl === null ? [] : ['mobile/*']),
    'pages/tickets',
  ];
}

/** Forwards `/api/sandbox` to the sandbox. Production doesn't load it. */
class SandboxForward implements OnModuleInit {
  constructor(
    private readonly fastify: FastifyInstance,
    private readonly url: string,
    private readonly paths: readonly string[],
  ) {}

  async onModuleInit(): Promise<void> {
    await rawScope(this.fastify, (scope) => {
      for (const path of this.paths) {
        scope.route({
          method: ['GET', 'POST'],
          url: `/api/sandbox/${path}`,
          handler: (request, reply) => this.forward(request, reply),
        });
      }
    });
  }

  private async forward({ url, method, id, headers, raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const target = new URL(url, this.url);
    // Dot segments would lead to paths that aren't forwarded.
    if (target.pathname !== url.split('?')[0]) throw new AppError('request.not_found');
    const chunks: Buffer[] = [];
    if (method !== 'GET') for await (const chunk of raw) chunks.push(chunk);
    const response = await fetchSandbox(target.href, {
      method,
      redirect: 'manual',
      headers: {
        accept: headers.accept ?? '*/*',
        'x-request-id': id,
        ...(chunks.length > 0 && { 'content-type': headers['content-type'] ?? '' }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    for (const name of FORWARDED_HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.status(response.status).send(Buffer.from(await response.arrayBuffer()));
  }
}

@Module({})
export class SandboxModule {
  static at(url: string, environment: Environment): DynamicModule {
    const forward = {
      provide: SandboxForward,
      inject: [HttpAdapterHost],
      useFactory: ({ httpAdapter }: HttpAdapterHost) =>
        new SandboxForward(httpAdapter.getInstance<FastifyInstance>(), url, pathsIn(environment)),
    };
    return { module: SandboxModule, providers: [forward] };
  }
}
