import { Clearframe } from '@clearframe/client/clearframe.ts';
import { Http } from '@clearframe/client/http.ts';
import type { Pipeline, Schemas, Task, User } from '@clearframe/client/schemas.ts';
import type { Progress } from '@clearframe/client/tasks.ts';
import type { Offer, UpscaleOffer } from '../core/tools.ts';

const TEST_KEY = 'cfk_test_';
/** How long a call is repeated: a restart of the server passes, and the panel says that it waits. */
const RETRY_SECONDS = 120;
const HISTORY_ROWS = 20;

/** UXP's default would send Photoshop's cookies, and its `fetch` takes buffers, not blobs. */
export const uxpFetch =
  (send: typeof fetch = (...request) => fetch(...request)): typeof fetch =>
  async (input, init = {}) => {
    const { body } = init;
    return send(input, {
      ...init,
      credentials: 'omit',
      ...(body instanceof Blob && { body: await body.arrayBuffer() }),
    });
  };

export interface Sent {
  readonly bytes: Uint8Array;
  /** Its extension names the format of the bytes. */
  readonly name: string;
  /** Of the result. */
  readonly format: 'png' | 'jpeg';
  readonly pipeline: Pipeline;
  /** The same run sent again, after its answer was lost, is enhanced once. */
  readonly runId: string;
}

export interface Enhanced {
  readonly taskId: string;
  readonly task: Task;
  readonly bytes: Uint8Array;
}

/** What can be asked for. */
export interface Offers {
  readonly tools: readonly Offer[];
  readonly upscale: UpscaleOffer;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** The product as the holder of a key sees it. */
export class Service {
  readonly isTest: boolean;
  private readonly client: Clearframe;
  private readonly http: Http;

  constructor(options: { apiKey: string; deviceId: string; baseUrl: string; fetch?: typeof fetch }) {
    this.isTest = options.apiKey.startsWith(TEST_KEY);
    const all = { ...options, fetch: uxpFetch(options.fetch), retrySeconds: RETRY_SECONDS };
    this.client = new Clearframe(all);
    this.http = new Http(all);
  }

  me(signal?: AbortSignal): Promise<User> {
    return this.client.me({ signal });
  }

  /** Binds the key to this device for good; again on the same device it changes nothing. */
  async activate(deviceId: string): Promise<void> {
    await this.http.json('POST', '/plugin-keys/activate', { json: { device_id: deviceId } });
  }

  async offers(language: string, storageId: string): Promise<Offers> {
    const json = { local_storage_id: storageId, device_type: 'desktop', language };
    const settings = await this.http.json<{ ai_pipeline_config: Offer[]; upscale_config: UpscaleOffer }>(
      'POST',
      '/settings',
      { json },
    );
    return { tools: settings.ai_pipeline_config, upscale: settings.upscale_config };
  }

  /** Sends a picture and waits for its result. An abort cancels its task, so that nothing is used up. */
  async enhance({ bytes, name, format, pipeline, runId }: Sent, options: SendOptions): Promise<Enhanced> {
    const { signal, onProgress } = options;
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
    const asked = { pipeline, format, fileName: name, idempotencyKey: runId, signal, onProgress };
    onProgress({ phase: 'uploading', fraction: 0, place: null, remainingSeconds: null });
    const started = await this.client.enhance(blob, { ...asked, wait: false });
    try {
      const result = await this.client.tasks.result(started.task_id, { signal, onProgress });
      return { taskId: started.task_id, task: await result.task(), bytes: await result.bytes() };
    } catch (error) {
      if (signal.aborted) await this.client.tasks.cancel(started.task_id).catch(() => undefined);
      throw error;
    }
  }

  /** The gray PNG of what the result changed, at most 4096 pixels a side. */
  changes(taskId: string, signal: AbortSignal): Promise<Uint8Array> {
    return this.client.tasks.changes(taskId, { signal });
  }

  /** A file by its signed address, without the key. */
  load(url: string, signal?: AbortSignal): Promise<Uint8Array> {
    const read = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
    return this.http.retry(() => this.http.once(url, { signal }, read), signal);
  }

  task(taskId: string): Promise<Task> {
    return this.client.tasks.get(taskId);
  }

  /** The newest pictures that this kind of key made. */
  async recent(): Promise<Task[]> {
    const query = { limit: HISTORY_ROWS, media_type: 'image' };
    return (await this.http.json<Schemas['TaskList']>('GET', '/tasks', { query })).data;
  }

  async delete(taskId: string): Promise<void> {
    await this.client.tasks.delete(taskId);
  }
}

/** The latest plug-in that the product offers. */
export async function latestVersion(baseUrl: string, send?: typeof fetch): Promise<string | null> {
  try {
    const answer = await uxpFetch(send)(`${baseUrl}/plugin/latest.json`);
    const { version } = (await answer.json()) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    // Only an offer of an update is missing.
    return null;
  }
}
