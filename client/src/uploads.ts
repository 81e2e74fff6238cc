import { ClearframeError } from './errors.ts';
import type { Http } from './http.ts';
import { contentTypeOf, type LocalFile, sha256Of } from './inputs.ts';
import { pipelineOf, type Tools } from './pipeline.ts';
import type { Schemas, Task } from './schemas.ts';
import type { Progress } from './tasks.ts';

/** Lost with a connection at most, and the step of the progress. */
const PART_BYTES = 4 * 1024 * 1024;

export const MEDIA_TYPES = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  tiff: 'image/tiff',
  psd: 'image/vnd.adobe.photoshop',
  'photoshop-tiff': 'image/tiff;application=photoshop',
} as const;
export type Format = keyof typeof MEDIA_TYPES;

export interface PictureOptions extends Tools {
  /** Of the result. Default: the plan's, PNG for keys. */
  readonly format?: Format;
  readonly jpegQuality?: 90 | 100;
  /** Names the result's download. Default: the file's. */
  readonly fileName?: string;
  /** Keep the location (GPS). Default: the account's preference. */
  readonly keepLocation?: boolean;
}

/** Addresses that the server calls; both https on the public internet. */
export interface Destinations {
  /** Receives the first result by one PUT, such as a pre-signed address of your store. */
  readonly outputUploadUrl?: string;
  /** Receives the events of the request, signed by Standard Webhooks. */
  readonly callbackUrl?: string;
}

type Target = Pick<Schemas['UploadTarget'], 'upload_url' | 'upload_headers' | 'resumable_url'>;

interface SendOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

interface Announced {
  readonly uploadId: string;
  readonly targets: readonly Schemas['UploadTarget'][];
  /** The answer to an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
}

/** Uploads of one or more pictures: announced, sent, and started one by one. Nothing is enhanced twice, whichever answer is lost. */
export class Uploads {
  private readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  /** @param pictures files to send, or addresses from which the server fetches them */
  async announce(
    pictures: readonly (LocalFile | string)[],
    options: PictureOptions & Destinations,
    { idempotencyKey, signal }: { idempotencyKey?: string; signal?: AbortSignal },
  ): Promise<Announced> {
    const shared = {
      output_content_type: options.format && MEDIA_TYPES[options.format],
      ai_pipeline: pipelineOf(options),
      jpeg_quality: options.jpegQuality,
      keep_location: options.keepLocation,
      output_upload_url: options.outputUploadUrl,
    };
    const list: Schemas['ImageInput'][] = [];
    // One after the other: each is read for its hash.
    for (const picture of pictures) {
      signal?.throwIfAborted();
      list.push({ ...shared, ...(typeof picture === 'string' ? { input_url: picture } : await describe(picture)) });
    }
    const json = { input_task_list: list, callback_url: options.callbackUrl };
    return this.http.request('POST', '/tasks/bulk-upload', { json, idempotencyKey, signal }, async (response) => {
      const created = (await response.json()) as Schemas['BulkUploadCreated'];
      const isReplayed = response.headers.get('idempotency-replayed') === 'true';
      return { uploadId: created.bulk_upload_id, targets: created.task_list, isReplayed };
    });
  }

  /** Announces one picture; with a key whose earlier task has no result and will have none, again. */
  async announceOne(
    file: LocalFile,
    options: PictureOptions & Destinations,
    { idempotencyKey = crypto.randomUUID(), signal }: { idempotencyKey?: string; signal?: AbortSignal },
  ): Promise<{ uploadId: string; target: Schemas['UploadTarget'] }> {
    for (let round = 1; ; round++) {
      const key = round === 1 ? idempotencyKey : `${idempotencyKey}.${round}`;
      const { uploadId, targets, isReplayed } = await this.announce([file], options, { idempotencyKey: key, signal });
      const [target] = targets;
      if (!target) throw new TypeError('The answer names no address for the file.');
      if (!isReplayed || !(await this.hasEndedInVain(target.task_id, signal))) return { uploadId, target };
    }
  }

  private async hasEndedInVain(taskId: string, signal?: AbortSignal): Promise<boolean> {
    try {
      const { status } = await this.http.json<Task>('GET', `/tasks/${taskId}`, { signal });
      return status === 'failed' || status === 'invalid' || status === 'cancelled';
    } catch (error) {
      if (error instanceof ClearframeError && error.status === 404) return true;
      throw error;
    }
  }

  /** Sends the picture and starts its processing; a picture that was sent before is left as it is. */
  async start(uploadId: string, target: Schemas['UploadTarget'], blob: Blob, options: SendOptions): Promise<Task> {
    const { task_id: taskId } = target;
    const { signal } = options;
    const renew = () => this.http.json<Target>('POST', `/tasks/${taskId}/upload`, { signal });
    await sendFile(this.http, target, blob, options, renew);
    const json = { task_ids: [taskId] };
    const path = `/tasks/bulk-upload/${uploadId}/process`;
    const { task_list: tasks } = await this.http.json<Schemas['BulkUpload']>('POST', path, { json, signal });
    return (
      tasks.find(({ task_id: id }) => id === taskId) ?? this.http.json<Task>('GET', `/tasks/${taskId}`, { signal })
    );
  }
}

const describe = async (file: LocalFile): Promise<Schemas['ImageInput']> => ({
  image_content_type: contentTypeOf(file, 'image/jpeg') as Schemas['ImageInput']['image_content_type'],
  file_name: file.name,
  size_bytes: file.blob.size,
  sha256: (await sha256Of(file.blob)) ?? undefined,
});

/** @param renew asks for another address when the first has expired */
export async function sendFile(
  http: Http,
  target: Target,
  blob: Blob,
  { onProgress, signal }: SendOptions,
  renew: () => Promise<Target>,
): Promise<void> {
  const report = (sent: number) =>
    onProgress?.({ phase: 'uploading', fraction: sent / blob.size, place: null, remainingSeconds: null });
  const send = async ({ upload_url: url, upload_headers: headers, resumable_url: resumable }: Target) => {
    if (resumable !== null) return sendParts(http, resumable, blob, report, signal);
    report(0);
    const init = { method: 'PUT', headers, body: blob, signal };
    await http.retry(() => http.once(url, init, async () => undefined), signal);
    report(blob.size);
  };
  await send(target).catch(async (error: unknown) => {
    // Sent before: its answer was lost.
    if (hasCode(error, 'uploads.closed')) return;
    if (!(error instanceof ClearframeError) || error.status !== 403) throw error;
    await send(await renew());
  });
}

const TUS = { 'tus-resumable': '1.0.0' };

/** By tus 1.0: after a lost connection the server is asked for what it has. */
async function sendParts(
  http: Http,
  url: string,
  blob: Blob,
  report: (sent: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const offsetIn = async ({ headers }: Response) => Number(headers.get('upload-offset'));
  const stored = () => http.once(url, { method: 'HEAD', headers: TUS, signal }, offsetIn);
  const append = (offset: number) => {
    const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
    const body = blob.slice(offset, offset + PART_BYTES);
    return http.once(url, { method: 'PATCH', headers, body, signal }, offsetIn);
  };
  let known: number | null = null;
  for (;;) {
    const sent: number = await http.retry(async () => {
      const offset = known ?? (await stored());
      known = null;
      if (offset >= blob.size) return offset;
      return append(offset).catch((error: unknown) => {
        if (hasCode(error, 'uploads.wrong_offset')) return stored();
        throw error;
      });
    }, signal);
    report(sent);
    if (sent >= blob.size) return;
    known = sent;
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof ClearframeError && error.code === code;
