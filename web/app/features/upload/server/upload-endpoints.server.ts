import type { ActionFunctionArgs } from '@remix-run/node';
import { ApiError } from '../../../http/api.server';
import { browserAddress } from '../../../http/api-addresses.server';
import { asApiError, problemResponse } from '../../../http/problem.server';
import { rememberRunning } from '../../../session/photos/photos-state.server';
import { asVisitor, tokenOf } from '../../../session/visitor.server';
import type { UploadTicket } from '../shared/upload-api';
import { cancelUpload, type FileInfo, requestUpload, startProcessing } from './upload.server';

/** Creates an upload and responds with the URL that the file is sent to. */
export function createUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context } = args;
    const file = await readFileInfo(args);
    const { result } = await asVisitor(
      request,
      context,
      headers,
      (token) => requestUpload(file, { context, request, token }),
      { isRepeatable: true },
    );
    const ticket: UploadTicket = {
      bulkUploadId: result.bulkUploadId,
      taskId: result.target.taskId,
      url: browserAddress(result.target.uploadUrl, context.settings),
      headers: result.target.uploadHeaders,
    };
    return Response.json(ticket, { status: 201, headers });
  });
}

/** Starts processing after the file was sent. */
export function processUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context, params } = args;
    const token = await tokenOf(request, context);
    const taskId = await startProcessing(params.bulkUploadId ?? '', { context, request, token });
    await rememberRunning(request, context, headers);
    return Response.json({ taskId }, { status: 202, headers });
  });
}

export function cancelUploadAction(args: ActionFunctionArgs): Promise<Response> {
  return withProblemResponse(args, async (headers) => {
    const { request, context, params } = args;
    await cancelUpload(params.taskId ?? '', { context, token: await tokenOf(request, context) });
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

const MAX_BODY_BYTES = 10_000;

async function readFileInfo({ request, context }: ActionFunctionArgs): Promise<FileInfo> {
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (length > MAX_BODY_BYTES) throw ApiError.of('request.too_large', context.requestId);
  const body: unknown = await request.json().catch(() => null);
  if (!isFileInfo(body)) throw ApiError.of('request.malformed', context.requestId);
  return body;
}

const isFileInfo = (body: unknown): body is Required<FileInfo> =>
  typeof body === 'object' &&
  body !== null &&
  'name' in body &&
  typeof body.name === 'string' &&
  'type' in body &&
  typeof body.type === 'string' &&
  'size' in body &&
  Number.isSafeInteger(body.size);
