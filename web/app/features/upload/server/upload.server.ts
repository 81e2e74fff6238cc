import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type ErrorCode, IMAGE_LIMITS, taskRoutes, type UploadTarget } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, type Caller, callApi } from '../../../http/api.server';
import { plainFields } from '../../../http/form.server';
import { asVisitor, type Exchange } from '../../../session/visitor.server';
import { SAMPLE_NAMES, type SampleName } from '../shared/samples';
import { declaredTypeOf } from './declared-type.server';
import { sanitizeFileName } from './file-name.server';
import { type IncomingFile, MalformedFormError, readFirstFile } from './multipart.server';
import { sendBytes } from './send-bytes.server';

export interface FileInfo {
  readonly name: string;
  /** The browser's content type; may be empty or wrong. */
  readonly type: string;
  /** In bytes; unknown for streamed files. */
  readonly size?: number;
}

export interface RequestedUpload {
  readonly bulkUploadId: string;
  readonly target: UploadTarget;
}

/** Limit for forms without a file. */
const MAX_PLAIN_FORM_BYTES = 10_000;

/** Creates an upload in the backend, with the URL to send the file to. */
export async function requestUpload(file: FileInfo, caller: Caller): Promise<RequestedUpload> {
  const refuse = (code: ErrorCode): never => {
    throw ApiError.of(code, caller.context.requestId);
  };
  const imageContentType = declaredTypeOf(file.type, file.name) ?? refuse('uploads.unsupported_type');
  if (file.size === 0) refuse('uploads.empty');
  if (file.size !== undefined && file.size > IMAGE_LIMITS.maxBytes) refuse('uploads.too_large');
  const { bulkUploadId, taskList } = await callApi(
    taskRoutes.createBulkUpload,
    { body: { imageContentType, fileName: sanitizeFileName(file.name), sizeBytes: file.size } },
    caller,
  );
  return { bulkUploadId, target: taskList[0] ?? refuse('service.internal') };
}

/** @returns the id of the task */
export async function startProcessing(bulkUploadId: string, caller: Caller): Promise<string> {
  const { taskList } = await callApi(taskRoutes.processBulkUpload, { params: { bulkUploadId } }, caller);
  const [task] = taskList;
  if (!task) throw ApiError.of('service.internal', caller.context.requestId);
  return task.taskId;
}

/** Cancels an upload. Failures are only logged: the backend deletes abandoned uploads. */
export async function cancelUpload(taskId: string, { context, token }: Caller): Promise<void> {
  try {
    // Without `request`, whose signal has usually aborted.
    await callApi(taskRoutes.cancelTask, { params: { taskId } }, { context, token });
  } catch (error) {
    context.logger.warn({ err: error, taskId }, 'cancelling an upload failed');
  }
}

/**
 * Uploads the form's file or a sample, and starts processing; for browsers without JavaScript.
 * @returns the id of the task
 */
export async function uploadFromForm(exchange: Exchange): Promise<string> {
  const isMultipart = exchange.request.headers.get('content-type')?.startsWith('multipart/form-data');
  const taskId = await (isMultipart ? uploadFormFile(exchange) : uploadSample(exchange));
  if (!taskId) throw ApiError.of('uploads.missing', exchange.context.requestId);
  return taskId;
}

async function uploadFormFile(exchange: Exchange): Promise<string | null> {
  const { request, context } = exchange;
  try {
    return await readFirstFile(request, (file) => uploadFile(file, exchange));
  } catch (error) {
    if (error instanceof MalformedFormError) throw ApiError.of('uploads.incomplete', context.requestId, error);
    throw error;
  }
}

const sampleForm = z.object({ sample: z.enum(SAMPLE_NAMES) });

async function uploadSample(exchange: Exchange): Promise<string | null> {
  const { request, context } = exchange;
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (length > MAX_PLAIN_FORM_BYTES) throw ApiError.of('request.too_large', context.requestId);
  const form = parseWithZod(plainFields(await request.text()), { schema: sampleForm });
  if (form.status !== 'success') return null;
  const { sample } = form.value;
  const bytes = createReadStream(samplePath(sample, context));
  return uploadFile({ name: `${sample}.jpg`, type: 'image/jpeg', bytes }, exchange);
}

/** Streams a file to the backend and starts processing. */
async function uploadFile(file: IncomingFile, { request, context, headers }: Exchange): Promise<string> {
  const { result, token } = await asVisitor(request, context, headers, (token) =>
    requestUpload(file, { context, request, token }),
  );
  const caller: Caller = { context, request, token };
  try {
    await sendBytes(result.target, file.bytes, context);
    return await startProcessing(result.bulkUploadId, caller);
  } catch (error) {
    await cancelUpload(result.target.taskId, caller);
    throw error;
  }
}

/** The file that the page displays as 'before'. */
const samplePath = (name: SampleName, { clientFolder }: AppLoadContext): string =>
  path.join(clientFolder, 'samples', `${name}.jpg`);
