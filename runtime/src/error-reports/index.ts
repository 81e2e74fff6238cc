import { errorReportOf, inMilliseconds, withoutPersonalData, withoutVisitors } from '@clearframe/contract';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Scope } from '@sentry/core';
import type { ServerRuntimeClient } from '@sentry/core/server';
import type { LoggerOptions } from 'pino';
import { z } from 'zod';
import { type Environment, readEnvironment } from '../config/index.js';

const schema = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production']).default('local'),
  /** Of a project in Sentry, or in a service with its protocol. */
  SENTRY_DSN: z.url({ error: 'is not the address of a project in Sentry', protocol: /^https?$/ }).optional(),
});

const SEND_TIMEOUT_MS = inMilliseconds.seconds(5);
/** Of the seven seconds in which a process stops. */
const LAST_REPORTS_MS = inMilliseconds.seconds(1);
/** pino's number of `error`; `fatal` is above. */
const ERROR_LEVEL = 50;

interface Sender {
  readonly client: ServerRuntimeClient;
  newScope(): Scope;
}

/** Sends errors of the log to the service that `SENTRY_DSN` names; nothing without it. */
export class ErrorReports implements OnApplicationShutdown {
  private constructor(private readonly sender: Sender | null) {}

  /** @throws ConfigurationError */
  static async open(environment: Environment): Promise<ErrorReports> {
    const { SENTRY_DSN: dsn, CLEARFRAME_ENV } = readEnvironment(schema, environment);
    if (!dsn) return new ErrorReports(null);
    // Not loaded by the many installations that have no such service.
    const [sentry, { nodeStackLineParser, ServerRuntimeClient }] = await Promise.all([
      import('@sentry/core'),
      import('@sentry/core/server'),
    ]);
    const client = new ServerRuntimeClient({
      dsn,
      environment: CLEARFRAME_ENV,
      platform: 'node',
      integrations: [],
      stackParser: sentry.createStackParser(nodeStackLineParser()),
      sendClientReports: false,
      beforeSend: (event) => ({ ...withoutVisitors(event), type: undefined }),
      transport: (options) =>
        sentry.createTransport(options, async ({ body }) => {
          const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
          const response = await fetch(options.url, { method: 'POST', body: body as string, signal });
          await response.arrayBuffer();
          const headers = {
            'x-sentry-rate-limits': response.headers.get('x-sentry-rate-limits'),
            'retry-after': response.headers.get('retry-after'),
          };
          return { statusCode: response.status, headers };
        }),
    });
    client.init();
    return new ErrorReports({ client, newScope: () => new sentry.Scope() });
  }

  /** For a logger, whose errors are then sent. */
  get hooks(): NonNullable<LoggerOptions['hooks']> {
    const { sender } = this;
    if (!sender) return {};
    return {
      logMethod(values, write, level) {
        if (level >= ERROR_LEVEL) send(sender, this.bindings(), values, level);
        write.apply(this, values);
      },
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sender?.client.close(LAST_REPORTS_MS);
  }
}

function send({ client, newScope }: Sender, bindings: object, values: readonly unknown[], level: number): void {
  const { error, message, tags } = errorReportOf(bindings as Record<string, unknown>, values);
  const severity = level > ERROR_LEVEL ? 'fatal' : 'error';
  const scope = newScope();
  scope.setLevel(severity);
  scope.setTags(message ? { ...tags, log: withoutPersonalData(message).slice(0, 200) } : tags);
  if (error) client.captureException(error, {}, scope);
  else client.captureMessage(message, severity, {}, scope);
}
