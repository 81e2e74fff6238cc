import { ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';

/** Sends spans of requests, as `api` and `worker` do, to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`, which the exporter reads. */
export async function startTracing(): Promise<{ stop(): Promise<void> }> {
  // Not loaded by the many installations that have no collector.
  const [{ BatchSpanProcessor, TracerProvider }, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all(
    [
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ],
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'clearframe-web' }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown() };
}

/** A trace begins with each request: the header of a client is ignored. @param path without what identifies visitors */
export const startRequestSpan = (method: string, path: string): Span =>
  trace
    .getTracer('clearframe')
    .startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'url.path': path } },
      ROOT_CONTEXT,
    );

/** W3C Trace Context of a span, for the backend; null where nothing is traced. */
export function traceparentOf(span: Span): string | null {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return trace.isSpanContextValid(span.spanContext()) ? `00-${traceId}-${spanId}-0${traceFlags}` : null;
}

/** Trace ids are random, too: visitors who name the id of a request to support name its trace. */
export function requestIdOf(span: Span): string | null {
  const { traceId } = span.spanContext();
  if (!trace.isSpanContextValid(span.spanContext())) return null;
  return traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
