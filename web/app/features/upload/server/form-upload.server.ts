import { type ErrorCode, taskRoutes, type UploadTarget } from '@clearframe/contract';
import { ApiError, type Caller, callApi } from '../../../http/api.server';
import { asVisitor, type Exchange } from '../../../session/visitor.server';
import { type IncomingFile, MalformedFormError, readFiles } from './multipart.server';
import { sendBytes } from './send-bytes.server';
import { cancelUpload, type RequestedUpload, requestAddition, requestUpload, startProcessing } from './upload.server';
import { uploaderOf, userOrNull } from './uploader.server';

export interface FormUploadResult {
  readonly bulkUploadId: string;
  readonly taskIds: readonly string[];
  /** Why some files were left out. */
  readonly problem: ErrorCode | null;
  /** Number of chosen files. */
  readonly files: number;
  /** The plan takes several. */
  readonly isBatch: boolean;
}

/**
 * Uploads the form's files and starts processing; for browsers without JavaScript. Plans without batches get the first
 * file uploaded. A file that is refused does not end the others.
 * @throws ApiError
 */
export async function uploadFromForm(exchange: Exchange): Promise<FormUploadResult> {
  const { request, context } = exchange;
  const { limits } = uploaderOf(await userOrNull(request, context));
  const upload = new FormUpload(exchange);
  try {
    const { files } = await readFiles(request, limits.hasBatch ? limits.files : 1, (file) => upload.add(file));
    if (files === 0) throw ApiError.of('uploads.missing', context.requestId);
    const isOver = limits.hasBatch && files > limits.files;
    const sent = await upload.process();
    return { ...sent, problem: isOver ? 'batch.too_many_files' : sent.problem, files, isBatch: limits.hasBatch };
  } catch (error) {
    await upload.cancel();
    if (error instanceof MalformedFormError) throw ApiError.of('uploads.incomplete', context.requestId, error);
    throw error;
  }
}

class FormUpload {
  private readonly exchange: Exchange;
  private caller: Caller | null = null;
  private bulkUploadId: string | null = null;
  private readonly taskIds: string[] = [];
  private hasStored = false;
  /** Of the first refused file. */
  private refusal: ApiError | null = null;
  /** Of the first one that is no photo of the batch page. */
  private leftOut: ApiError | null = null;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Streams a file to the backend. A refused file is left out, or shown as invalid on the batch page. */
  async add(file: IncomingFile): Promise<void> {
    const { length } = this.taskIds;
    try {
      await sendBytes(await this.createTarget(file), file.bytes, this.exchange.context);
      this.hasStored = true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'users.not_authorized') throw error;
      this.refusal ??= error;
      if (this.taskIds.length === length) this.leftOut ??= error;
    }
  }

  /** The first file creates the upload. */
  private async createTarget(file: IncomingFile): Promise<UploadTarget> {
    const { request, context, headers } = this.exchange;
    let upload: RequestedUpload;
    if (this.bulkUploadId !== null && this.caller) {
      upload = await requestAddition(this.bulkUploadId, [file], this.caller);
    } else {
      const created = await asVisitor(request, context, headers, (token) =>
        requestUpload([file], { context, request, token }),
      );
      this.caller = { context, request, token: created.token };
      upload = created.result;
      this.bulkUploadId = upload.bulkUploadId;
    }
    const [target] = upload.targets;
    if (!target) throw this.internalError();
    this.taskIds.push(target.taskId);
    return target;
  }

  async process(): Promise<Omit<FormUploadResult, 'files' | 'isBatch'>> {
    const { bulkUploadId, caller, taskIds } = this;
    const [single, ...others] = taskIds;
    if (!this.hasStored || !bulkUploadId || !caller || !single) throw this.refusal ?? this.internalError();
    if (others.length === 0) await startProcessing(bulkUploadId, single, caller);
    else await callApi(taskRoutes.processBulkUpload, { params: { bulkUploadId } }, caller);
    return { bulkUploadId, taskIds, problem: this.leftOut?.code ?? null };
  }

  async cancel(): Promise<void> {
    const { caller } = this;
    if (caller) for (const taskId of this.taskIds) await cancelUpload(taskId, caller);
  }

  private internalError = (): ApiError => ApiError.of('service.internal', this.exchange.context.requestId);
}
