import { type DynamicModule, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { z } from 'zod';
import { type Environment, readEnvironment } from '../config/index.js';

const schema = z.object({
  /** Of a collector that takes OTLP over HTTP, usually on port 4318. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ error: 'is not an http:// or https:// address', protocol: /^https?$/ })
    .optional(),
});

export { SpanKind };

const tracer = () => trace.getTracer('clearframe');

let stop: (() => Promise<void>) | null = null;

/** Whether spans are sent. Otherwise those of this module cost nothing and hold nothing. */
export const isTracing = (): boolean => stop !== null;

/**
 * Sends spans of this process, where the environment names a collector: the exporter reads its variables, too.
 * @throws ConfigurationError
 */
async function startTracing(service: string, environment: Environment): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = readEnvironment(schema, environment);
  if (!endpoint || stop) return;
  // Not loaded by the many installations that have no collector.
  const [
    sdk,
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    { resourceFromAttributes },
    { OTLPTraceExporter },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `clearframe-${service}` }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  stop = () => provider.shutdown();
}

interface SpanOptions {
  /** By default one that neither answers nor asks another process. */
  readonly kind?: SpanKind;
  /** Of the cause in another process, as W3C Trace Context writes it. */
  readonly traceparent?: string | undefined;
  readonly attributes?: Attributes;
}

/** A span that the caller ends. */
export function startSpan(name: string, { traceparent, ...options }: SpanOptions): Span {
  const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : context.active();
  return tracer().startSpan(name, options, parent);
}

/** Runs work within a span, which ends with it. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options);
  try {
    return await within(span, () => work(span));
  } catch (error) {
    // Messages can name hosts and files.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}

/** What `work` begins, also later, has the span as its cause. */
export const within = <Result>(span: Span, work: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), work);

/** Of the span in which this runs; null where nothing is traced. */
export function activeTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

@Injectable()
class Tracing implements OnApplicationShutdown {
  /** Sends what has ended. */
  async onApplicationShutdown(): Promise<void> {
    await stop?.().catch(() => undefined);
    stop = null;
  }
}

/** Starts before other modules are created, and sends the last spans when the process stops. */
@Module({})
export class TracingModule {
  static forService(service: string, environment: Environment): DynamicModule {
    const provider = {
      provide: Tracing,
      useFactory: async (): Promise<Tracing> => {
        await startTracing(service, environment);
        return new Tracing();
      },
    };
    return { module: TracingModule, providers: [provider] };
  }
}
