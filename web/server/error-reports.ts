import { errorReportOf, withoutPersonalData, withoutVisitors } from '@clearframe/contract';
import type { LoggerOptions } from 'pino';

const SEND_TIMEOUT_MS = 5_000;
/** The launcher kills the process after 3 s. */
const LAST_REPORTS_MS = 500;
/** pino's number of `error`; `fatal` is above. */
const ERROR_LEVEL = 50;

interface ErrorReports {
  /** For a logger, whose errors are then sent. */
  readonly hooks: LoggerOptions['hooks'];
  stop(): Promise<unknown>;
}

/** Sends errors of the log to Sentry, or to a service with its protocol. @param dsn of a project there */
export async function openErrorReports(dsn: string, environment: string): Promise<ErrorReports> {
  // Not loaded by the many installations that have no such service.
  const [{ createStackParser, createTransport, Scope }, { nodeStackLineParser, ServerRuntimeClient }] =
    await Promise.all([import('@sentry/core'), import('@sentry/core/server')]);
  const client = new ServerRuntimeClient({
    dsn,
    environment,
    platform: 'node',
    integrations: [],
    stackParser: createStackParser(nodeStackLineParser()),
    sendClientReports: false,
    beforeSend: (event) => ({ ...withoutVisitors(event), type: undefined }),
    transport: (options) =>
      createTransport(options, async ({ body }) => {
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
  const send = (bindings: object, values: readonly unknown[], level: number): void => {
    const { error, message, tags } = errorReportOf({ ...bindings }, values);
    const severity = level > ERROR_LEVEL ? 'fatal' : 'error';
    const scope = new Scope();
    scope.setLevel(severity);
    scope.setTags(message ? { ...tags, log: withoutPersonalData(message).slice(0, 200) } : tags);
    if (error) client.captureException(error, {}, scope);
    else client.captureMessage(message, severity, {}, scope);
  };
  return {
    hooks: {
      logMethod(values, write, level) {
        if (level >= ERROR_LEVEL) send(this.bindings(), values, level);
        write.apply(this, values);
      },
    },
    stop: async () => client.close(LAST_REPORTS_MS),
  };
}
