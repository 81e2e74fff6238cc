import { taskRoutes, type UploadTarget } from '@clearframe/contract';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { throwPageFor } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { asVisitor, tokenOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import type { UploadTicket } from './transfer-store';
import {
  type AnnouncedFile,
  cancelUpload,
  type RequestedUpload,
  requestAddition,
  requestUpload,
  requestVideo,
  startProcessing,
  startVideo,
} from './upload.server';

interface Call {
  readonly args: ActionFunctionArgs;
  /** Task or upload of the address. */
  readonly id: string;
}

type Step = (call: Call) => Promise<Response>;

/** POST by the page's script: of photos to `/uploads` and `/uploads/:id/:step`, of videos likewise. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const { request, context, params } = args;
  const { id = '', step = 'create' } = params;
  const steps = new URL(request.url).pathname.startsWith('/videos') ? VIDEO_STEPS : PHOTO_STEPS;
  const act = steps.get(step) ?? throwPageFor('request.not_found', context);
  return act({ args, id });
}

/** Responds with tickets in the order of the files. */
async function respondWithTickets(
  { args }: Call,
  createTargets: (files: readonly AnnouncedFile[], caller: Caller) => Promise<RequestedUpload>,
): Promise<Response> {
  const { request, context } = args;
  const { files } = await readBody(args, FileInfos);
  const { result } = await asVisitor(
    { request, context },
    (token) => createTargets(files, { context, request, token }),
    { isRepeatable: true },
  );
  const tickets = result.targets.map((target) => ticketOf(target, result.bulkUploadId, context));
  return Response.json({ tickets }, { status: 201 });
}

const ticketOf = (
  { taskId, uploadUrl, uploadHeaders, resumableUrl }: UploadTarget,
  bulkUploadId: string | null,
  { settings }: AppLoadContext,
): UploadTicket => ({
  bulkUploadId,
  taskId,
  url: browserAddress(uploadUrl, settings),
  headers: uploadHeaders,
  resumableUrl: resumableUrl && browserAddress(resumableUrl, settings),
});

const VideoFile = z.object({
  name: z.string(),
  type: z.string(),
  size: z.int(),
  metadata: z.object({ duration: z.number().nonnegative(), width: z.int(), height: z.int() }).nullable(),
});

async function createVideo({ args }: Call): Promise<Response> {
  const { request, context } = args;
  const { metadata, ...file } = await readBody(args, VideoFile);
  const { result } = await asVisitor(
    { request, context },
    (token) => requestVideo(file, metadata, { context, request, token }),
    { isRepeatable: true },
  );
  return Response.json({ ticket: ticketOf(result, null, context) }, { status: 201 });
}

async function processVideo({ args: { request, context }, id }: Call): Promise<Response> {
  await startVideo(id, { context, request, token: await tokenOf(request, context) });
  await rememberRunning({ request, context });
  return Response.json({ taskId: id }, { status: 202 });
}

async function processPhoto({ args, id }: Call): Promise<Response> {
  const { request, context } = args;
  const { taskId } = await readBody(args, z.object({ taskId: z.uuid() }));
  await startProcessing(id, taskId, { context, request, token: await tokenOf(request, context) });
  await rememberRunning({ request, context });
  return Response.json({ taskId }, { status: 202 });
}

async function renew({ args: { request, context }, id }: Call): Promise<Response> {
  const caller = { context, request, token: await tokenOf(request, context) };
  const target = await callApi(taskRoutes.renewUpload, { params: { taskId: id } }, caller);
  return Response.json({ ticket: ticketOf(target, null, context) });
}

async function cancel({ args: { request, context }, id }: Call): Promise<Response> {
  const caller = { context, token: await tokenOf(request, context) };
  await trackOperation({ kind: 'cancel', details: { what: 'upload' } }, { request, context }, () =>
    cancelUpload(id, caller),
  );
  return new Response(null, { status: 204 });
}

const PHOTO_STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['create', (call) => respondWithTickets(call, requestUpload)],
  ['files', (call) => respondWithTickets(call, (files, caller) => requestAddition(call.id, files, caller))],
  ['process', processPhoto],
  ['renew', renew],
  ['cancel', cancel],
]);

const VIDEO_STEPS: ReadonlyMap<string, Step> = new Map([
  ['create', createVideo],
  ['process', processVideo],
]);

const MAX_BODY_BYTES = 50_000;

const FileInfos = z.object({
  files: z.array(z.object({ name: z.string(), type: z.string(), size: z.int() })).min(1),
});

/** @throws ApiError `request.too_large`, `request.malformed` */
async function readBody<Body>({ request, context }: ActionFunctionArgs, schema: z.ZodType<Body>): Promise<Body> {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (length > MAX_BODY_BYTES) throw ApiError.of('request.too_large', context.requestId);
  const body = schema.safeParse(await request.json().catch(() => null));
  if (!body.success) throw ApiError.of('request.malformed', context.requestId);
  return body.data;
}
