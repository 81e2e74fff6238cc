import { taskRoutes, type UploadTarget } from '@clearframe/contract';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { asApiError, problemResponse } from '../../http/problem.server';
import { rememberRunning } from '../../session/photos-state.server';
import { asVisitor, tokenOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import type { UploadTicket } from '../transfers/transfers';
import {
  cancelUpload,
  type FileInfo,
  type RequestedUpload,
  requestAddition,
  requestUpload,
  startProcessing,
} from './upload.server';
import { requestVideo, startVideo } from './video.server';

/** Creates an upload and responds with tickets in the order of the files. */
export function createUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return respondWithTickets(args, requestUpload);
}

export function addToUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return respondWithTickets(args, (files, caller) => requestAddition(args.params.bulkUploadId ?? '', files, caller));
}

function respondWithTickets(
  args: ActionFunctionArgs,
  createTargets: (files: readonly FileInfo[], caller: Caller) => Promise<RequestedUpload>,
): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context } = args;
    const files = await readFileInfos(args);
    const {
      result: { bulkUploadId, targets },
    } = await asVisitor({ request, context, headers }, (token) => createTargets(files, { context, request, token }), {
      isRepeatable: true,
    });
    const tickets = targets.map((target) => ticketOf(target, bulkUploadId, context));
    return Response.json({ tickets }, { status: 201, headers });
  });
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

export function createVideoAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context } = args;
    const { metadata, ...file } = await readBody(args, VideoFile);
    const { result } = await asVisitor(
      { request, context, headers },
      (token) => requestVideo(file, metadata, { context, request, token }),
      { isRepeatable: true },
    );
    return Response.json({ ticket: ticketOf(result, null, context) }, { status: 201, headers });
  });
}

export function processVideoAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context, params } = args;
    const { taskId = '' } = params;
    await startVideo(taskId, { context, request, token: await tokenOf(request, context) });
    await rememberRunning({ request, context, headers });
    return Response.json({ taskId }, { status: 202, headers });
  });
}

export function processUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context, params } = args;
    const { taskId } = await readBody(args, z.object({ taskId: z.uuid() }));
    const token = await tokenOf(request, context);
    await startProcessing(params.bulkUploadId ?? '', taskId, { context, request, token });
    await rememberRunning({ request, context, headers });
    return Response.json({ taskId }, { status: 202, headers });
  });
}

export function renewUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context, params } = args;
    const caller = { context, request, token: await tokenOf(request, context) };
    const target = await callApi(taskRoutes.renewUpload, { params: { taskId: params.taskId ?? '' } }, caller);
    return Response.json({ ticket: ticketOf(target, null, context) }, { headers });
  });
}

export function cancelUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context, params } = args;
    const caller = { context, token: await tokenOf(request, context) };
    await trackOperation({ kind: 'cancel', details: { what: 'upload' } }, { request, context }, () =>
      cancelUpload(params.taskId ?? '', caller),
    );
    return new Response(null, { status: 204, headers });
  });
}

async function withProblemResponse(
  { context }: ActionFunctionArgs,
  work: (headers: Headers) => Promise<Response>,
): Promise<Response> {
  const headers = new Headers({ 'cache-control': 'no-store' });
  try {
    return await work(headers);
  } catch (error) {
    if (error instanceof Response) return error;
    return problemResponse(asApiError(error, context), headers);
  }
}

const MAX_BODY_BYTES = 50_000;

const FileInfos = z.object({
  files: z.array(z.object({ name: z.string(), type: z.string(), size: z.int() })).min(1),
});

async function readFileInfos(args: ActionFunctionArgs): Promise<readonly FileInfo[]> {
  return (await readBody(args, FileInfos)).files;
}

/** @throws ApiError `request.too_large`, `request.malformed` */
async function readBody<Body>({ request, context }: ActionFunctionArgs, schema: z.ZodType<Body>): Promise<Body> {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (length > MAX_BODY_BYTES) throw ApiError.of('request.too_large', context.requestId);
  const body = schema.safeParse(await request.json().catch(() => null));
  if (!body.success) throw ApiError.of('request.malformed', context.requestId);
  return body.data;
}
