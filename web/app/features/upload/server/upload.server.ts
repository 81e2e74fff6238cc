import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type ErrorCode, IMAGE_LIMITS, taskRoutes, type UploadTarget } from '@clearframe/contract';
import { parseWithZod } from '@conform-to/zod/v4';
import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, type Caller, callApi } from '../../../http/api.server';
import { plainFields } from '../../../http/form.server';
import { asVisitor } from '../../../session/visitor.server';
import { SAMPLE_NAMES, type SampleName } from '../shared/samples';
import { declaredTypeOf } from './declared-type.server';
import { sanitizeFileName } from './file-name.server';
import { type IncomingFile, MalformedFormError, readFirstFile } from './multipart.server';
import { sendBytes } from './send-bytes.server';

/** A file to upload. */
export interface FileInfo {
  readonly name: string;
  /** As the browser says; may be empty or wrong. */
  readonly type: string;
  /** In bytes; absent where only the end will tell. */
  readonly size?: number;
}

export interface Announced {
  readonly bulkUploadId: string;
  readonly target: UploadTarget;
}

/** Longest form that holds no file, in bytes. */
const MAX_PLAIN_FORM_BYTES = 10_000;

/** Tells the backend about a file and gets the address to send it to. */
export async function announce(file: FileInfo, caller: Caller): Promise<Announced> {
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

/** Starts work on what has arrived. @returns the task */
export async function startWork(bulkUploadId: string, caller: Caller): Promise<string> {
  const { taskList } = await callApi(taskRoutes.processBulkUpload, { params: { bulkUploadId } }, caller);
  const [task] = taskList;
  if (!task) throw ApiError.of('service.internal', caller.context.requestId);
  return task.taskId;
}

/** Gives up an upload, so that nothing of it stays. A failure is left to the backend's own cleaning. */
export async function abandon(taskId: string, { context, token }: Caller): Promise<void> {
  try {
    // Without the visitor's request: that is usually gone by now.
    await callApi(taskRoutes.cancelTask, { params: { taskId } }, { context, token });
  } catch (error) {
    context.logger.warn({ err: error, taskId }, 'an abandoned upload could not be cancelled');
  }
}

/** A form that is being answered. */
interface Exchange {
  readonly request: Request;
  readonly context: AppLoadContext;
  /** Of the answer. */
  readonly headers: Headers;
}

/**
 * The whole way of a picture for a browser without script: the form's file, or one of our samples.
 * @returns the task
 */
export async function acceptForm(exchange: Exchange): Promise<string> {
  const isMultipart = exchange.request.headers.get('content-type')?.startsWith('multipart/form-data');
  const taskId = await (isMultipart ? acceptFile(exchange) : acceptSample(exchange));
  if (!taskId) throw ApiError.of('uploads.missing', exchange.context.requestId);
  return taskId;
}

async function acceptFile(exchange: Exchange): Promise<string | null> {
  const { request, context } = exchange;
  try {
    return await readFirstFile(request, (file) => forward(file, exchange));
  } catch (error) {
    if (error instanceof MalformedFormError) throw ApiError.of('uploads.incomplete', context.requestId, error);
    throw error;
  }
}

const sampleForm = z.object({ sample: z.enum(SAMPLE_NAMES) });

async function acceptSample(exchange: Exchange): Promise<string | null> {
  const { request, context } = exchange;
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (length > MAX_PLAIN_FORM_BYTES) throw ApiError.of('request.too_large', context.requestId);
  const form = parseWithZod(plainFields(await request.text()), { schema: sampleForm });
  if (form.status !== 'success') return null;
  const { sample } = form.value;
  const bytes = createReadStream(samplePath(sample, context));
  return forward({ name: `${sample}.jpg`, type: 'image/jpeg', bytes }, exchange);
}

/** Announces a file, sends it on while it arrives, and starts work on it. */
async function forward(file: IncomingFile, { request, context, headers }: Exchange): Promise<string> {
  const { result, token } = await asVisitor(request, context, headers, (token) =>
    announce(file, { context, request, token }),
  );
  const caller: Caller = { context, request, token };
  try {
    await sendBytes(result.target, file.bytes, context);
    return await startWork(result.bulkUploadId, caller);
  } catch (error) {
    await abandon(result.target.taskId, caller);
    throw error;
  }
}

/** Where a sample's degraded 'before' lies: the very file that the page shows. */
export const samplePath = (name: SampleName, { clientFolder }: AppLoadContext): string =>
  path.join(clientFolder, 'samples', `${name}.jpg`);
