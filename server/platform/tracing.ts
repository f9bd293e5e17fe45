import { FastifyOtelInstrumentation } from '@fastify/otel';
import type { Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Sends a trace of each request to a collector (OTLP over HTTP). Only a process with an endpoint loads this file.
 * Spans hold what the log holds: the route's pattern instead of the address, the id of the request, and no exceptions,
 * because their words may name people.
 */
export async function sendTraces(http: FastifyInstance, endpoint: string): Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'switchyard' }),
    spanProcessors: [new BatchSpanProcessor(withoutWords(exporter))],
  });
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    recordExceptions: false,
    requestHook: describeRequest,
  });
  instrumentation.setTracerProvider(provider);
  await http.register(instrumentation.plugin());
  http.addHook('onClose', () => provider.shutdown());
}

function describeRequest(span: Span, { id, routeOptions: { url = 'unknown', schema } }: FastifyRequest): void {
  const { operationId } = (schema ?? {}) as { operationId?: string };
  span.setAttributes({ 'url.path': url, 'switchyard.request_id': id });
  if (operationId) span.updateName(operationId);
}

/** The status of a span has the words of its error. */
function withoutWords(exporter: OTLPTraceExporter): SpanExporter {
  return {
    export: (spans, done) => {
      for (const { status } of spans) delete status.message;
      exporter.export(spans, done);
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
