import { ClearframeError } from './errors.ts';
import { type Http, pause } from './http.ts';
import { pipelineOf, type Tools } from './pipeline.ts';
import { Result } from './result.ts';
import type { Schemas, Task, TaskStatus, VideoTask } from './schemas.ts';

/** Longest wait of a request for a task, in seconds. */
const WAIT_SECONDS = 60;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 3_000;

const FINAL: readonly TaskStatus[] = ['completed', 'exported', 'failed', 'invalid', 'cancelled'];
const WITH_RESULT: readonly TaskStatus[] = ['completed', 'exported'];

/** Where a file is on its way. */
export interface Progress {
  readonly phase: 'uploading' | 'waiting' | 'processing' | 'done';
  /** Of the phase, 0 to 1. */
  readonly fraction: number;
  /** Place in the queue, 1 being next; null outside of it. */
  readonly place: number | null;
  /** Estimate of the server, null where it has none. */
  readonly remainingSeconds: number | null;
}

export interface WaitOptions {
  /** Called while the file is sent and processed; the task is then polled every few seconds. */
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

type Polled = Pick<Task, 'status' | 'progress' | 'queue_wait_num' | 'remaining_seconds' | 'error_code'>;

function progressOf({
  status,
  progress,
  queue_wait_num: place,
  remaining_seconds: remainingSeconds,
}: Polled): Progress {
  if (FINAL.includes(status)) return { phase: 'done', fraction: 1, place: null, remainingSeconds: 0 };
  if (place) return { phase: 'waiting', fraction: 0, place, remainingSeconds };
  return { phase: 'processing', fraction: progress, place: null, remainingSeconds };
}

/** @throws ClearframeError why there is no result */
function requireResult<Data extends Polled>(data: Data): Data {
  if (WITH_RESULT.includes(data.status)) return data;
  const code = data.error_code ?? `tasks.${data.status}`;
  throw new ClearframeError(`The result was not made: ${code}.`, { code });
}

/**
 * Asks until the task has ended. The server answers when it has, or after a minute; with progress it is asked more often.
 * @param isComplete whether the answer has all that was waited for
 */
export async function untilFinal<Data extends Polled>(
  http: Http,
  path: string,
  { onProgress, signal }: WaitOptions,
  isComplete: (data: Data) => boolean,
): Promise<{ data: Data; headers: Headers }> {
  const headers = onProgress ? undefined : { prefer: `wait=${WAIT_SECONDS}` };
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.3, LONGEST_PAUSE_MS)) {
    const answer = await http.request('GET', path, { headers, signal }, async (response) => ({
      data: (await response.json()) as Data,
      headers: response.headers,
    }));
    onProgress?.(progressOf(answer.data));
    const isFinal = FINAL.includes(answer.data.status);
    if (isFinal && isComplete(requireResult(answer.data))) return answer;
    // A server that has waited may be asked at once; it doesn't wait for a file that is still encoded.
    if (isFinal || !answer.headers.has('preference-applied')) await pause(pauseMs, signal);
  }
}

export interface ListOptions {
  readonly mediaType?: Task['media_type'];
  readonly status?: readonly TaskStatus[];
  readonly signal?: AbortSignal;
}

export interface ReprocessOptions extends Tools, WaitOptions {
  /** Media type of the result. */
  readonly outputContentType?: string;
  readonly jpegQuality?: 90 | 100;
  readonly keepLocation?: boolean;
}

/** Pictures and videos of the account. */
export class Tasks {
  private readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  get(taskId: string, { signal }: { signal?: AbortSignal } = {}): Promise<Task> {
    return this.http.json('GET', pathOf(taskId), { signal });
  }

  /** Newest first, page by page as they are read. */
  async *list({ mediaType, status, signal }: ListOptions = {}): AsyncGenerator<Task, void> {
    let startingAfter: string | undefined;
    for (;;) {
      const query = { limit: 100, starting_after: startingAfter, media_type: mediaType, status };
      const { data, has_more: hasMore } = await this.http.json<Schemas['TaskList']>('GET', '/tasks', { query, signal });
      yield* data;
      startingAfter = data.at(-1)?.task_id;
      if (!hasMore || startingAfter === undefined) return;
    }
  }

  /** Waits until the task has ended. @throws ClearframeError when it has no result */
  async result(taskId: string, options: WaitOptions = {}): Promise<Result<Task>> {
    const isComplete = ({ output_url: url }: Task) => url !== null;
    const { data, headers } = await untilFinal<Task>(this.http, pathOf(taskId), options, isComplete);
    return this.resultOf({ taskId, headers, data }, options.signal);
  }

  /** @internal */
  resultOf(
    found: { taskId: string; headers: Headers; data?: Task; response?: Response },
    signal?: AbortSignal,
  ): Result<Task> {
    return new Result(this.http, found, {
      read: () => this.get(found.taskId, { signal }),
      addressIn: ({ output_url: url }) => url,
      signal,
    });
  }

  /** Processes a finished picture again from its original, as a further result. */
  async reprocess(taskId: string, options: ReprocessOptions): Promise<Result<Task>> {
    const { outputContentType, jpegQuality, keepLocation, signal } = options;
    const order = {
      client_task_id: taskId,
      ai_pipeline: pipelineOf(options),
      output_content_type: outputContentType,
      jpeg_quality: jpegQuality,
      keep_location: keepLocation,
    };
    const { bulk_upload_id: uploadId } = await this.get(taskId, { signal });
    const json = { input_reprocess_list: [order] };
    await this.http.json('POST', `/tasks/bulk-upload/${uploadId}/reprocess`, { json, signal });
    return this.result(taskId, options);
  }

  /** What the result changed: a gray PNG, at most 4096 pixels a side, white where it differs most. Free. */
  changes(taskId: string, { signal }: { signal?: AbortSignal } = {}): Promise<Uint8Array<ArrayBuffer>> {
    const read = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
    return this.http.request('POST', `${pathOf(taskId)}/changes`, { json: {}, signal }, read);
  }

  cancel(taskId: string, { signal }: { signal?: AbortSignal } = {}): Promise<Task> {
    return this.http.json('POST', `${pathOf(taskId)}/cancel`, { signal });
  }

  /** With their files, at once. @returns the ids that were unknown */
  async delete(taskIds: string | readonly string[], { signal }: { signal?: AbortSignal } = {}): Promise<string[]> {
    const json = { task_ids: [taskIds].flat() };
    const left = await this.http.json<Schemas['DeletedTasks'] | undefined>('DELETE', '/tasks/delete', { json, signal });
    return left?.not_found ?? [];
  }
}

const pathOf = (taskId: string): string => `/tasks/${encodeURIComponent(taskId)}`;

/** Waits for a video like {@link Tasks.result} for a picture. */
export async function videoResult(http: Http, id: string, options: WaitOptions): Promise<Result<VideoTask>> {
  const path = `/video-tasks/${encodeURIComponent(id)}`;
  const { signal } = options;
  const { data, headers } = await untilFinal<VideoTask>(http, path, options, ({ result }) => result !== null);
  return new Result(
    http,
    { taskId: id, headers, data },
    {
      read: () => http.json('GET', path, { signal }),
      addressIn: ({ result }) => result?.output_url,
      signal,
    },
  );
}
