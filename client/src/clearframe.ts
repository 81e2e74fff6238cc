import { Http, type HttpOptions } from './http.ts';
import { addressIn, contentTypeOf, fileOf, type Input, type LocalFile } from './inputs.ts';
import { pipelineOf, type Tools } from './pipeline.ts';
import type { Result } from './result.ts';
import type { Analysis, Schemas, Task, UsageRow, User, VideoPipeline, VideoTask } from './schemas.ts';
import { Tasks, videoResult, type WaitOptions } from './tasks.ts';
import { type Destinations, MEDIA_TYPES, type PictureOptions, sendFile, Uploads } from './uploads.ts';

const DEFAULT_URL = 'http://localhost:3000';
const UPLOAD_TOKEN = 'cfu_';
const ONE_REQUEST_BYTES = 8_000_000;
const RETRY_SECONDS = 120;
const BATCH_CONCURRENCY = 8;
/** Most rows of a page. */
const USAGE_PAGE = 1_000;

export interface ClearframeOptions {
  /** `cfk_…`, or in a browser an upload token `cfu_…`. Default: CLEARFRAME_API_KEY. */
  readonly apiKey?: string;
  /** Where Clearframe runs. Default: CLEARFRAME_URL, else http://localhost:3000. */
  readonly baseUrl?: string;
  /** Of a key that is bound to a device. */
  readonly deviceId?: string;
  /** How long a call is repeated that fails for a reason that passes. Default: 120. */
  readonly retrySeconds?: number;
  readonly fetch?: typeof fetch;
}

export interface EnhanceOptions extends PictureOptions, WaitOptions, Destinations {
  /** Limits the tools to a part of the picture: an 8-bit gray PNG of its size, white where they apply. */
  readonly mask?: Input;
  /** Default: true. With `false` the call answers when the picture is accepted. */
  readonly wait?: boolean;
  /** Calls with the same key enhance a picture once, for a day. Default: a new one for each call. */
  readonly idempotencyKey?: string;
}

export interface BatchOptions extends PictureOptions, Pick<Destinations, 'callbackUrl'> {
  /** Pictures that are sent and waited for at once. Default: 8. */
  readonly concurrency?: number;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A picture of a batch, as soon as it has ended. */
export interface BatchItem {
  /** Of the input, from 0. */
  readonly index: number;
  readonly input: Input;
  readonly taskId: string;
  /** Null where it failed. */
  readonly result: Result<Task> | null;
  readonly error: unknown;
}

export interface VideoOptions extends Pick<Tools, 'faces' | 'background' | 'color'>, WaitOptions {
  readonly pipeline?: VideoPipeline;
  readonly fileName?: string;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

export interface UploadTokenOptions extends Tools, Pick<PictureOptions, 'format'> {
  /** The only origin whose pages may use the token, as in `https://shop.example`. Default: any. */
  readonly origin?: string;
  /** 60 to 3,600. Default: 600. */
  readonly expiresInSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface UsageOptions {
  /** First day (UTC), as in `2026-11-30`. Default: 30 days in all. */
  readonly from?: string;
  /** Last day (UTC), at most 366 days in all. Default: today. */
  readonly to?: string;
  /** Only of this key. Default: of all that the key sees. */
  readonly keyId?: string;
  readonly signal?: AbortSignal;
}

/** Restores photos and videos. */
export class Clearframe {
  readonly tasks: Tasks;
  private readonly http: Http;
  private readonly uploads: Uploads;
  /** Larger pictures are sent in parts. An upload token is for one request. */
  private readonly maxRequestBytes: number;

  constructor(options: ClearframeOptions = {}) {
    const environment = globalThis.process?.env ?? {};
    const apiKey = options.apiKey ?? environment.CLEARFRAME_API_KEY;
    if (!apiKey) throw new TypeError('Pass `apiKey`, or set CLEARFRAME_API_KEY.');
    const settings: HttpOptions = {
      apiKey,
      baseUrl: options.baseUrl ?? (environment.CLEARFRAME_URL || DEFAULT_URL),
      deviceId: options.deviceId,
      retrySeconds: options.retrySeconds ?? RETRY_SECONDS,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
    };
    this.http = new Http(settings);
    this.maxRequestBytes = apiKey.startsWith(UPLOAD_TOKEN) ? Number.POSITIVE_INFINITY : ONE_REQUEST_BYTES;
    this.tasks = new Tasks(this.http);
    this.uploads = new Uploads(this.http);
  }

  /** Enhances a picture: a file, bytes, a path, or an https address. */
  enhance(input: Input, options: EnhanceOptions & { readonly wait: false }): Promise<Task>;
  enhance(input: Input, options?: EnhanceOptions): Promise<Result<Task>>;
  async enhance(input: Input, options: EnhanceOptions = {}): Promise<Result<Task> | Task> {
    const address = addressIn(input);
    const file = address === null ? await fileOf(input as Exclude<Input, URL>, options.fileName) : null;
    const { mask } = options;
    const maskAddress = mask === undefined ? null : addressIn(mask);
    const maskFile = mask === undefined || maskAddress !== null ? null : await fileOf(mask as Exclude<Input, URL>);
    if (file && mask === undefined && file.blob.size > this.maxRequestBytes) {
      const task = await this.upload(file.blob, { ...options, fileName: file.name });
      return options.wait === false ? task : this.tasks.result(task.task_id, options);
    }
    const { wait = true, onProgress, signal, idempotencyKey } = options;
    const pipeline = pipelineOf(options);
    const query = {
      input_url: address ?? undefined,
      mask_url: maskAddress ?? undefined,
      pipeline: typeof pipeline === 'object' ? JSON.stringify(pipeline) : pipeline,
      format: options.format,
      jpeg_quality: options.jpegQuality,
      file_name: options.fileName ?? file?.name,
      keep_location: options.keepLocation,
      output_upload_url: options.outputUploadUrl,
      callback_url: options.callbackUrl,
    };
    const headers = {
      ...(file && !maskFile && { 'content-type': contentTypeOf(file, 'image/jpeg') }),
      ...(wait && !onProgress && { prefer: 'wait=60' }),
    };
    const body = maskFile ? formOf(maskFile, file) : file?.blob;
    const call = { query, body, headers, idempotencyKey, signal };
    const { response, task } = await this.http.request('POST', '/enhance', call, async (answer) => ({
      response: answer,
      task: answer.status === 202 ? ((await answer.json()) as Task) : null,
    }));
    if (task) return wait ? this.tasks.result(task.task_id, options) : task;
    const made = response.headers;
    const taskId = made.get('x-clearframe-task-id') ?? lastOf(made.get('location'));
    return this.tasks.resultOf({ taskId, headers: made, response }, signal);
  }

  /**
   * Sends a picture, in parts when it has more than 8 MB, and starts its processing. Its requests can be repeated without enhancing
   * it twice, also by another process with the same idempotency key.
   */
  async upload(input: Exclude<Input, URL>, options: Omit<EnhanceOptions, 'mask'> = {}): Promise<Task> {
    const file = await fileOf(input, options.fileName);
    const { uploadId, target } = await this.uploads.announceOne(file, options, options);
    return this.uploads.start(uploadId, target, file.blob, options);
  }

  /** Enhances up to 500 pictures as one batch, and yields each as it ends. A picture that fails doesn't end the others. */
  async *batch(
    inputs: Iterable<Input> | AsyncIterable<Input>,
    { concurrency = BATCH_CONCURRENCY, signal, idempotencyKey, ...options }: BatchOptions = {},
  ): AsyncGenerator<BatchItem, void> {
    const given: Input[] = [];
    for await (const input of inputs) given.push(input);
    const pictures = await Promise.all(given.map((input) => addressIn(input) ?? fileOf(input as Exclude<Input, URL>)));
    const { uploadId, targets } = await this.uploads.announce(pictures, options, { idempotencyKey, signal });
    const enhance = async (index: number): Promise<BatchItem> => {
      const [input, picture, target] = [given[index], pictures[index], targets[index]];
      if (input === undefined || picture === undefined || !target)
        throw new TypeError(`The answer names no address for file ${index}.`);
      const item = { index, input, taskId: target.task_id };
      try {
        // A picture at an address starts when the server has fetched it.
        if (typeof picture === 'object') await this.uploads.start(uploadId, target, picture.blob, { signal });
        return { ...item, result: await this.tasks.result(target.task_id, { signal }), error: null };
      } catch (error) {
        signal?.throwIfAborted();
        return { ...item, result: null, error };
      }
    };
    yield* asTheyEnd(given.length, concurrency, enhance);
  }

  /**
   * A token with which a page enhances one picture without the key: `new Clearframe({ apiKey: token })` there. Tools and
   * format are fixed by the token, or left to the page.
   */
  createUploadToken({
    origin,
    expiresInSeconds,
    format,
    signal,
    ...tools
  }: UploadTokenOptions = {}): Promise<Schemas['CreatedUploadToken']> {
    const json = {
      ai_pipeline: pipelineOf(tools),
      output_content_type: format && MEDIA_TYPES[format],
      origin,
      expires_in_seconds: expiresInSeconds,
    };
    return this.http.json('POST', '/upload-tokens', { json, signal });
  }

  /** Measures a picture without keeping it, and suggests tools: what `pipeline: 'auto'` applies. Free. */
  async analyze(input: Exclude<Input, URL>, { signal }: { signal?: AbortSignal } = {}): Promise<Analysis> {
    const file = await fileOf(input);
    const headers = { 'content-type': contentTypeOf(file, 'image/jpeg') };
    return this.http.json('POST', '/analyze', { body: file.blob, headers, signal });
  }

  /** Enhances a video, MP4 or MOV. */
  video(input: Exclude<Input, URL>, options: VideoOptions & { readonly wait: false }): Promise<VideoTask>;
  video(input: Exclude<Input, URL>, options?: VideoOptions): Promise<Result<VideoTask>>;
  async video(input: Exclude<Input, URL>, options: VideoOptions = {}): Promise<Result<VideoTask> | VideoTask> {
    const { signal, idempotencyKey, wait = true } = options;
    const file = await fileOf(input, options.fileName);
    const json = {
      video_content_type: contentTypeOf(file, 'video/mp4') as Schemas['CreateVideoTask']['video_content_type'],
      video_metadata: { file_name: file.name, size: file.blob.size },
      ai_pipeline: pipelineOf(options),
    };
    const create = { json, idempotencyKey, signal };
    const created = await this.http.json<Schemas['VideoTaskCreated']>('POST', '/video-tasks', create);
    const { video_task_id: id } = created;
    const renew = () => this.http.json<Schemas['UploadTarget']>('POST', `/tasks/${id}/upload`, { signal });
    await sendFile(this.http, created, file.blob, options, renew);
    const task = await this.http.json<VideoTask>('POST', `/video-tasks/${id}/process`, { signal });
    return wait ? this.videoResult(id, options) : task;
  }

  /** Waits until the video has ended. @throws ClearframeError when it has no result */
  videoResult(id: string, options: WaitOptions = {}): Promise<Result<VideoTask>> {
    return videoResult(this.http, id, options);
  }

  /** The account of the key, with its plan and limits. */
  me({ signal }: { signal?: AbortSignal } = {}): Promise<User> {
    return this.http.json('GET', '/users/@me', { signal });
  }

  /** What keys had made by day and key, oldest first, page by page as they are read. A live key sees the account's live keys. */
  async *usage({ from, to, keyId, signal }: UsageOptions = {}): AsyncGenerator<UsageRow, void> {
    let startingAfter: string | undefined;
    for (;;) {
      const query = { from, to, key_id: keyId, limit: USAGE_PAGE, starting_after: startingAfter };
      const page = await this.http.json<Schemas['UsageList']>('GET', '/usage', { query, signal });
      yield* page.data;
      const last = page.data.at(-1);
      if (!page.has_more || !last) return;
      startingAfter = `${last.day}:${last.key_id}`;
    }
  }
}

/** The mask comes first: the server checks it before it stores the picture. */
function formOf(mask: LocalFile, picture: LocalFile | null): FormData {
  const form = new FormData();
  form.append('mask', mask.blob, 'mask.png');
  if (picture) {
    const { blob, name = 'picture' } = picture;
    form.append('file', blob.slice(0, blob.size, contentTypeOf(picture, 'image/jpeg')), name);
  }
  return form;
}

const lastOf = (path: string | null): string => path?.slice(path.lastIndexOf('/') + 1) ?? '';

/** Runs work for the numbers below `count`, `concurrency` at a time. */
async function* asTheyEnd<Value>(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<Value>,
): AsyncGenerator<Value, void> {
  const running = new Map<number, Promise<{ index: number; value: Value }>>();
  for (let next = 0; next < count || running.size > 0; ) {
    while (next < count && running.size < Math.max(1, concurrency)) {
      const index = next++;
      running.set(
        index,
        work(index).then((value) => ({ index, value })),
      );
    }
    const { index, value } = await Promise.race(running.values());
    running.delete(index);
    yield value;
  }
}
