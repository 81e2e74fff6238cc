import { writeWhole } from './files.ts';
import { connectionError, type Http } from './http.ts';

export interface SaveOptions {
  /** Replace a file of that name. Default: true. */
  readonly overwrite?: boolean;
}

/** The file of a finished picture or video, loaded when it is asked for, and loaded again where the connection is lost. */
export class Result<Data> {
  readonly taskId: string;
  /** Of the answer that brought the result. */
  readonly headers: Headers;
  private readonly http: Http;
  private readonly read: () => Promise<Data>;
  private readonly addressIn: (data: Data) => string | null | undefined;
  private readonly signal: AbortSignal | undefined;
  private data: Data | undefined;
  /** Of a request that answered with the file. */
  private response: Response | undefined;

  constructor(
    http: Http,
    { taskId, headers, data, response }: { taskId: string; headers: Headers; data?: Data; response?: Response },
    source: {
      readonly read: () => Promise<Data>;
      readonly addressIn: (data: Data) => string | null | undefined;
      readonly signal?: AbortSignal;
    },
  ) {
    this.http = http;
    this.taskId = taskId;
    this.headers = headers;
    this.data = data;
    this.response = response;
    this.read = source.read;
    this.addressIn = source.addressIn;
    this.signal = source.signal;
  }

  /** What was done: faces with their similarity, recipe, sizes. */
  async task(): Promise<Data> {
    this.data ??= await this.read();
    return this.data;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.http.retry(async () => {
      const response = await this.open();
      return reading(response, async () => new Uint8Array(await response.arrayBuffer()));
    }, this.signal);
  }

  /** Not loaded again where the connection is lost. */
  async stream(): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    return (await this.open()).body ?? new Blob([]).stream();
  }

  /** The file appears under its name when it is complete. For Node, Deno and Bun. @throws Error `EEXIST` without `overwrite` */
  async save(path: string, { overwrite = true }: SaveOptions = {}): Promise<void> {
    const retry = <Value>(attempt: () => Promise<Value>) => this.http.retry(attempt, this.signal);
    const write = async (append: (chunk: Uint8Array) => Promise<void>) => {
      const response = await this.open();
      const reader = response.body?.getReader();
      for (;;) {
        const part = await reading(response, async () => reader?.read());
        if (!part || part.done) return;
        await append(part.value);
      }
    };
    await writeWhole(path, write, { overwrite, retry });
  }

  /** The answer in hand once, then the file's address, which is short-lived. */
  private async open(): Promise<Response> {
    const { response } = this;
    this.response = undefined;
    if (response && !response.bodyUsed) return response;
    const load = async () => {
      const address = this.addressIn(await this.task());
      if (!address) throw new TypeError('The task has no file now.');
      const { signal } = this;
      return this.http.retry(() => this.http.once(address, { signal }, async (answer) => answer), signal);
    };
    return load().catch(async (error: unknown) => {
      this.signal?.throwIfAborted();
      if (!(error instanceof Error && 'status' in error && error.status === 403)) throw error;
      this.data = await this.read();
      return load();
    });
  }
}

/** A lost connection while a body is read fails like one before the answer, so that it is repeated. */
async function reading<Value>({ url }: Response, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof TypeError ? connectionError(url, error) : error;
  }
}
