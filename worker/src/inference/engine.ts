import type { ChildProcess } from 'node:child_process';
import type { AiPipeline, PictureMeasures } from '@clearframe/contract/pipeline';
import { type SilenceWatch, watchSilence } from '@clearframe/runtime/concurrency';
import type { Raster } from '../rasters/raster.js';
import type { PipelineOptions, PipelineResult } from '../tools/pipeline/pipeline.js';
import type { ReportProgress } from '../tools/pipeline/progress.js';
import type { RenderedLook } from '../tools/pipeline/render-looks.js';
import { EngineCrashedError, EngineTimeoutError, reviveError } from './errors.js';
import { type Envelope, Exchange } from './exchange.js';
import { forkChild } from './fork-child.js';
import type { AnalysisRequest, EnhanceRequest, FromChild, LooksRequest, ToChild } from './protocol.js';

export interface EngineOptions {
  signal: AbortSignal;
  /** Milliseconds without progress after which the child is killed; excludes waiting for earlier calls. */
  timeoutMs?: number | undefined;
}

/** Progress is 0..1, never decreasing and roughly linear in time. */
export type EnhanceOptions = PipelineOptions & EngineOptions;

export interface AiEngineOptions {
  /** For tests; default: the compiled child. */
  childPath?: URL;
  environment?: NodeJS.ProcessEnv;
  /** Milliseconds without a call after which the child ends; the next call starts another. Default: never. */
  idleMs?: number;
}

/** A third of the normal weight: requests come first, and pictures still complete on a busy machine. */
const NICENESS = 5;
const DEFAULT_TIMEOUT_MS = 5 * 60_000;
/** Time for one network, of which a start loads all: 2 s together on an idle machine. */
const LOAD_TIMEOUT_MS = 3 * 60_000;

type Request =
  | ({ type: 'enhance' } & EnhanceRequest)
  | ({ type: 'looks' } & LooksRequest)
  | ({ type: 'analyze' } & AnalysisRequest);
type ChildResponse = Extract<FromChild, { type: 'enhanced' | 'looks' | 'analyzed' }>;

interface Child {
  readonly process: ChildProcess;
  readonly exchange: Exchange;
}

interface Call {
  id: number;
  onProgress: ReportProgress;
  resolve(response: Envelope<ChildResponse>): void;
  reject(error: Error): void;
}

/** Runs pictures in a child process, in sequence. After a crash the next call starts a new child. */
export class AiEngine {
  readonly #childPath: URL;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #idleMs: number | undefined;
  #idle: NodeJS.Timeout | undefined;
  #child: Promise<Child> | undefined;
  #call: Call | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #closed = false;

  constructor(options: AiEngineOptions = {}) {
    this.#childPath = options.childPath ?? new URL('./child.js', import.meta.url);
    this.#environment = options.environment ?? {};
    this.#idleMs = options.idleMs;
  }

  /**
   * Resolves once all networks are verified, loaded and warm.
   * @throws `ModelFileError` for a file other than the manifest's, {@link EngineCrashedError} otherwise
   */
  async start(): Promise<void> {
    await this.#ready();
  }

  async childPid(): Promise<number | undefined> {
    return (await this.#child)?.process.pid;
  }

  /**
   * Rejects with the signal's reason, {@link EngineCrashedError} or {@link EngineTimeoutError}; the last
   * two may be retried.
   */
  async enhance(input: Raster, pipeline: AiPipeline, options: EnhanceOptions): Promise<PipelineResult> {
    const { signal, timeoutMs, onProgress, ...rest } = options;
    const request: Request = { type: 'enhance', input, pipeline, ...rest };
    const response = await this.#inTurn(request, { signal, timeoutMs }, onProgress);
    if (response.type !== 'enhanced') throw new Error('the child answered another request');
    return response.result;
  }

  /** @throws as {@link enhance} */
  async renderLooks(request: LooksRequest, options: EngineOptions): Promise<RenderedLook[]> {
    const response = await this.#inTurn({ type: 'looks', ...request }, options, () => undefined);
    if (response.type !== 'looks') throw new Error('the child answered another request');
    return response.looks;
  }

  /** @throws as {@link enhance} */
  async analyze(request: AnalysisRequest, options: EngineOptions): Promise<PictureMeasures> {
    const response = await this.#inTurn({ type: 'analyze', ...request }, options, () => undefined);
    if (response.type !== 'analyzed') throw new Error('the child answered another request');
    return response.measures;
  }

  async #inTurn(request: Request, options: EngineOptions, onProgress: ReportProgress): Promise<ChildResponse> {
    clearTimeout(this.#idle);
    const turn = this.#tail.then(() => this.#run(request, options, onProgress));
    const tail = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#tail = tail;
    try {
      return await turn;
    } finally {
      if (this.#tail === tail) this.#endWhenIdle();
    }
  }

  #endWhenIdle(): void {
    if (this.#idleMs === undefined) return;
    this.#idle = setTimeout(() => {
      this.#child?.then(({ process: child }) => child.kill('SIGKILL')).catch(() => undefined);
      this.#child = undefined;
    }, this.#idleMs).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const starting = this.#child;
    if (!starting) return;
    const child = await starting.catch(() => undefined);
    if (!child || child.process.exitCode !== null || child.process.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.process.once('exit', () => resolve());
      child.process.kill('SIGKILL');
    });
  }

  async #run(request: Request, options: EngineOptions, onProgress: ReportProgress): Promise<ChildResponse> {
    options.signal.throwIfAborted();
    const { process: child, exchange } = await this.#ready();
    options.signal.throwIfAborted();
    const id = this.#nextId++;
    const abort = () => send(child, { message: { type: 'abort', id }, stored: [] });
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    let silence: SilenceWatch | undefined;
    try {
      const response = await new Promise<Envelope<ChildResponse>>((resolve, reject) => {
        silence = watchSilence(timeoutMs, () => {
          reject(new EngineTimeoutError(`The picture made no progress for ${timeoutMs} ms`));
          this.#child = undefined;
          child.kill('SIGKILL');
        });
        const { progressed } = silence;
        const report: ReportProgress = (fraction, running) => {
          progressed();
          onProgress(fraction, running);
        };
        this.#call = { id, onProgress: report, resolve, reject };
        options.signal.addEventListener('abort', abort, { once: true });
        exchange
          .pack<ToChild>({ ...request, id })
          .then((envelope) => {
            options.signal.throwIfAborted();
            send(child, envelope);
          })
          .catch(reject);
      });
      const unpacked = await exchange.unpack(response);
      await exchange.clear();
      return unpacked;
    } finally {
      silence?.stop();
      options.signal.removeEventListener('abort', abort);
      this.#call = undefined;
    }
  }

  #ready(): Promise<Child> {
    if (this.#closed) return Promise.reject(new EngineCrashedError('The engine has been closed'));
    this.#child ??= this.#spawn();
    return this.#child;
  }

  #spawn(): Promise<Child> {
    const exchange = Exchange.create();
    const child = forkChild(this.#childPath, {
      environment: this.#environment,
      niceness: NICENESS,
      shared: exchange.fd,
      execArgv: ['--expose-gc'],
    });
    const starting = new Promise<Child>((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), LOAD_TIMEOUT_MS);
      child.on('message', ({ message, stored }: Envelope<FromChild>) => {
        if (message.type === 'loaded') timer.refresh();
        else if (message.type === 'ready') {
          clearTimeout(timer);
          resolve({ process: child, exchange });
        } else if (message.type === 'failed') reject(reviveError(message.error));
        else this.#receive(message, stored);
      });
      child.once('error', (error) => {
        closeQuietly(exchange);
        reject(new EngineCrashedError(`The child did not start: ${error.message}`));
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        closeQuietly(exchange);
        const crashed = new EngineCrashedError(`The inference process ended (${signal ?? `code ${code}`})`);
        if (this.#child === starting) {
          this.#child = undefined;
          this.#call?.reject(crashed);
        }
        reject(crashed);
      });
    });
    // Reported to callers, not as unhandled rejections.
    starting.catch(() => undefined);
    return starting;
  }

  #receive(
    message: Exclude<FromChild, { type: 'loaded' | 'ready' | 'failed' }>,
    stored: Envelope<ChildResponse>['stored'],
  ): void {
    const call = this.#call;
    if (call?.id !== message.id) return;
    if (message.type === 'progress') call.onProgress(message.fraction, message.running);
    else if (message.type === 'error') call.reject(reviveError(message.error));
    else call.resolve({ message, stored });
  }
}

function send(child: ChildProcess, envelope: Envelope<ToChild>): void {
  // A closed channel: the child's exit rejects the call.
  child.send(envelope, () => undefined);
}

function closeQuietly(exchange: Exchange): void {
  // It is not read any more.
  exchange.close().catch(() => undefined);
}
