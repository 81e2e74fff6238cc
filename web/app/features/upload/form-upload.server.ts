import { type ErrorCode, type OperationDetails, taskRoutes, type UploadTarget } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { reachedLimitOf } from '../../http/problem.server';
import { asVisitor, type Exchange } from '../../session/visitor.server';
import { sendStart, trackOperation } from '../telemetry/operations.server';
import { decideUpload, type OfferTopic, type UploadDecision, type Uploader } from './decide-upload';
import { type FileInfo, fileKindOf } from './file-types';
import { type IncomingFile, MAX_FILE_BYTES, MalformedFormError, readFiles } from './multipart.server';
import { refusalOfLimit } from './read-upload-error';
import { sendBytes, withStoredFile } from './send-bytes.server';
import {
  cancelUpload,
  requestAddition,
  requestUpload,
  requestVideo,
  startProcessing,
  startVideo,
} from './upload.server';
import { uploadErrorAddress } from './upload-error';
import { canEnhanceVideos, uploaderOf, userOrNull } from './uploader.server';

export interface FormUploadResult {
  readonly bulkUploadId: string | null;
  readonly taskIds: readonly string[];
  /** Why some files were left out. */
  readonly problem: ErrorCode | null;
  readonly files: number;
  readonly isBatch: boolean;
  /** More files than a batch takes were chosen: those in it are stored, and none is processed before the visitor agrees. */
  readonly isUndecided: boolean;
}

type SentFiles = Omit<FormUploadResult, 'files' | 'isBatch' | 'isUndecided'>;

type Refusal = Extract<UploadDecision<FileInfo>, { readonly kind: 'offer' | 'error' }>;

/** The form was refused for a reason that the page of an error or offer explains. */
class RefusedForm extends Error {
  override readonly name = 'RefusedForm';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** The page that explains why a form was refused; null for errors that the form itself shows. */
export async function refusalPage(error: unknown, request: Request, context: AppLoadContext): Promise<string | null> {
  if (error instanceof RefusedForm) return addressOf(error.refusal);
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'videos.not_in_plan') return offerAddress('video');
  if (error.code === 'uploads.empty') return uploadErrorAddress({ reason: 'empty' });
  if (error.code === 'videos.unavailable') return uploadErrorAddress({ reason: 'video_off' });
  const limit = reachedLimitOf(error);
  return limit && addressOf(refusalOfLimit(limit, uploaderOf(await userOrNull(request, context))));
}

const addressOf = (refusal: Refusal): string =>
  refusal.kind === 'offer' ? offerAddress(refusal.topic) : uploadErrorAddress(refusal.error);

const offerAddress = (topic: OfferTopic): string => `/offer/${topic}`;

/**
 * Uploads the form's files and starts processing; for browsers without JavaScript. Plans without batches get the first
 * file uploaded. A refused file does not stop the others.
 * @throws ApiError
 */
export function uploadFromForm(exchange: Exchange): Promise<FormUploadResult> {
  // Known as the form is read.
  const details: UploadDetails = { mediaType: 'image', files: 0 };
  return trackOperation({ kind: 'upload', details }, exchange, () => uploadFiles(exchange, details));
}

type UploadDetails = { -readonly [Key in keyof OperationDetails<'upload'>]: OperationDetails<'upload'>[Key] };

async function uploadFiles(exchange: Exchange, details: UploadDetails): Promise<FormUploadResult> {
  const { request, context } = exchange;
  const uploader = uploaderOf(await userOrNull(request, context));
  const { limits } = uploader;
  const upload = new FormUpload(exchange, uploader);
  try {
    const { files } = await readFiles(request, limits.hasBatch ? limits.files : 1, (file) => upload.add(file));
    Object.assign(details, { mediaType: upload.isVideo ? 'video' : 'image', files } satisfies UploadDetails);
    if (files === 0) throw ApiError.of('uploads.missing', context.requestId);
    const isUndecided = limits.hasBatch && files > limits.files;
    const result = { files, isBatch: limits.hasBatch, isUndecided };
    if (isUndecided) return { ...upload.stored(), ...result };
    const sent = await upload.process();
    // The address of the next page has the start.
    sendStart({ kind: 'process', details: { mediaType: details.mediaType } }, exchange);
    return { ...sent, ...result };
  } catch (error) {
    await upload.cancel();
    if (error instanceof MalformedFormError) throw ApiError.of('uploads.incomplete', context.requestId, error);
    throw error;
  }
}

/** The first of several files is a video, or a later one is. */
const ONE_VIDEO = {
  kind: 'error',
  error: { reason: 'wrong_file_format', media: 'video' },
  rest: [],
} as const satisfies Refusal;

/** Within every limit: the size of a file is known once it has been received. */
const ANY_SIZE = 1;

/** The rest of a file over the maximum isn't received, so its size is unknown. */
export const withKnownSize = (refusal: Refusal, receivedBytes: number): Refusal =>
  receivedBytes > MAX_FILE_BYTES && refusal.error
    ? ({ ...refusal, error: { ...refusal.error, actual: undefined } } as Refusal)
    : refusal;

class FormUpload {
  private readonly exchange: Exchange;
  private readonly uploader: Uploader;
  private videoId: string | null = null;
  private caller: Caller | null = null;
  private bulkUploadId: string | null = null;
  private readonly taskIds: string[] = [];
  private hasStored = false;
  private refusal: ApiError | null = null;
  /** Error of the first file that the batch page does not show. */
  private leftOut: ApiError | null = null;

  constructor(exchange: Exchange, uploader: Uploader) {
    this.exchange = exchange;
    this.uploader = uploader;
  }

  get isVideo(): boolean {
    return this.videoId !== null;
  }

  /** Streams a file to the backend. A refused file is left out, or shown as invalid on the batch page. */
  async add(file: IncomingFile): Promise<void> {
    const isVideo = fileKindOf(file) === 'video';
    if (this.videoId || (isVideo && this.taskIds.length > 0)) throw new RefusedForm(ONE_VIDEO);
    if (isVideo) return this.addVideo(file);
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

  /** Its size decides whether it may be sent, so it is received first. */
  private async addVideo(file: IncomingFile): Promise<void> {
    const { request, context } = this.exchange;
    const { role } = this.uploader;
    const limits = { ...this.uploader.limits, isVideoOn: await canEnhanceVideos(request, context) };
    const refuse = (size: number) => {
      const decision = decideUpload({
        files: [{ name: file.name, type: file.type, size }],
        role,
        limits,
        hasVideo: true,
      });
      if (decision.kind === 'offer' || decision.kind === 'error') throw new RefusedForm(withKnownSize(decision, size));
    };
    refuse(ANY_SIZE);
    await withStoredFile(file.bytes, async (stored) => {
      refuse(stored.size);
      const info = { name: file.name, type: file.type, size: stored.size };
      const target = await this.announce((caller) => requestVideo(info, null, caller));
      this.videoId = target.taskId;
      this.taskIds.push(this.videoId);
      await sendBytes(target, stored.open(), context);
      this.hasStored = true;
    });
  }

  /** The first file creates the upload. */
  private async createTarget(file: IncomingFile): Promise<UploadTarget> {
    const { bulkUploadId, caller } = this;
    const upload =
      bulkUploadId !== null && caller
        ? await requestAddition(bulkUploadId, [file], caller)
        : await this.announce((visitor) => requestUpload([file], visitor));
    this.bulkUploadId = upload.bulkUploadId;
    const [target] = upload.targets;
    if (!target) throw this.internalError();
    this.taskIds.push(target.taskId);
    return target;
  }

  /** Creates a guest for a visitor without a session. */
  private async announce<Result>(work: (caller: Caller) => Promise<Result>): Promise<Result> {
    const { request, context } = this.exchange;
    const { result, token } = await asVisitor(this.exchange, (own) => work({ context, request, token: own }));
    this.caller = { context, request, token };
    return result;
  }

  async process(): Promise<SentFiles> {
    const { caller, videoId } = this;
    if (videoId && caller) {
      await startVideo(videoId, caller);
      return { bulkUploadId: null, taskIds: this.taskIds, problem: null };
    }
    const { bulkUploadId, taskIds, problem } = this.stored();
    const [single, ...others] = taskIds;
    if (!bulkUploadId || !caller || !single) throw this.internalError();
    if (others.length === 0) await startProcessing(bulkUploadId, single, caller);
    else await callApi(taskRoutes.processBulkUpload, { params: { bulkUploadId } }, caller);
    return { bulkUploadId, taskIds, problem };
  }

  /** @throws ApiError when no file could be stored, or the first of several is a video */
  stored(): SentFiles {
    if (this.videoId) throw new RefusedForm(ONE_VIDEO);
    const { bulkUploadId, taskIds } = this;
    if (!this.hasStored || !bulkUploadId) throw this.refusal ?? this.internalError();
    return { bulkUploadId, taskIds, problem: this.leftOut?.code ?? null };
  }

  async cancel(): Promise<void> {
    const { caller } = this;
    if (caller) for (const taskId of this.taskIds) await cancelUpload(taskId, caller);
  }

  private internalError = (): ApiError => ApiError.of('service.internal', this.exchange.context.requestId);
}
