import { monitoringRoutes, toWire } from '@clearframe/contract';
import type { ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { callApi } from '../../http/api.server';
import { asApiError } from '../../http/problem.server';
import { isMeasured } from '../../session/consent.server';
import { userIdIn } from '../../session/tracking-ids.server';
import { tokenOf } from '../../session/visitor.server';
import { type ClientError, ERROR_SOURCES, MAX_CODE, MAX_MESSAGE, MAX_STACK } from '../../telemetry/error-reports';
import { postToHost } from './send-events.server';

/** Limit of a report; a character may take six bytes. */
const MAX_BYTES = 16_000;

const Report: z.ZodType<ClientError> = z.object({
  id: z.uuid(),
  source: z.enum(ERROR_SOURCES),
  message: z.string().max(MAX_MESSAGE),
  stack: z.string().max(MAX_STACK),
  errorCode: z.string().max(MAX_CODE).nullable(),
  path: z.string().max(MAX_MESSAGE),
  requestId: z.string().max(64),
});

/** Names the user with consent to measurement only. Causes no error for the visitor. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(length <= MAX_BYTES)) return new Response(null, { status: 413 });
  const report = Report.safeParse(await request.json().catch(() => null));
  if (!report.success) return new Response(null, { status: 422 });
  const { id, source, message, stack, errorCode, path, requestId } = report.data;
  const now = new Date().toISOString();
  const info = { path, stack, request_id: requestId };
  const payload = {
    ...{ id, severity: 'error', categories: ['script', source], description: message },
    ...{ errorCode, info, createdAt: now },
  };
  const { url: host, appId } = context.settings.monitoring;
  const userId = isMeasured(request, context) ? userIdIn(await tokenOf(request, context)) : null;
  const input = { params: { appId }, body: { userId, sentAt: now, payloads: [payload] } };
  const accepted = new Response(null, { status: 202 });
  if (host) {
    const body = toWire(monitoringRoutes.recordMonitoringEvents.body, input.body);
    await postToHost(host, `/v2/public/apps/${encodeURIComponent(appId)}/events`, { body }, context);
    return accepted;
  }
  try {
    // The beacon of a closed page is aborted at once.
    await callApi(monitoringRoutes.recordMonitoringEvents, input, { request, context, isDetached: true });
  } catch (error) {
    asApiError(error, { request, context });
  }
  return accepted;
}
