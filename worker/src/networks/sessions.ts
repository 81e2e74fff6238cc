import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import { floatsAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';
import type { Raster } from '../rasters/raster.js';
import {
  entryForRole,
  type Manifest,
  type ModelEntry,
  ModelFileError,
  type ModelReference,
  modelsFolder,
  ROLES,
  type Role,
  readManifest,
  readVerified,
} from './manifest.js';
import { assertTensors, pictureInput } from './tensors.js';
import { loadInThread, type Network } from './threaded-network.js';

/** More gain little on our tiles and starve other processes. */
const MAX_THREADS = 4;

/** These run long enough for others and the rest of the pipeline to use what they leave of the cores. */
const THREADED: readonly Role[] = ['restore-face', 'restore-photo', 'restore-texture', 'detect-face'];

/** Measures its time, so that inference is reported separately. */
export class Session {
  readonly entry: ModelEntry;
  readonly #network: Network;
  readonly #clock: InferenceClock;
  readonly #inputName: string;
  readonly #parameters: Readonly<Record<string, Tensor>>;

  constructor(entry: ModelEntry, network: Network, clock: InferenceClock) {
    this.entry = entry;
    this.#network = network;
    this.#clock = clock;
    const parameters = entry.parameters ?? [];
    this.#parameters = Object.fromEntries(
      parameters.map(({ name, dtype, values }) => [
        name,
        dtype === 'float64'
          ? new Tensor('float64', Float64Array.from(values), [values.length])
          : new Tensor('float32', Float32Array.from(values), [values.length]),
      ]),
    );
    this.#inputName = pictureInput(entry, network);
  }

  /** Side of the input, of a network of squares. */
  get side(): number {
    return Number(this.entry.input.shape[2]);
  }

  runOn({ width, height, data }: Raster): Promise<Outputs> {
    const [low, high] = this.entry.input.range ?? [0, 1];
    const count = width * height;
    const planes = withKernels(() => {
      const [pixels, split] = [reserve(3 * count), reserve(12 * count)];
      heap.bytes.set(data, pixels);
      kernels.splitColors(pixels, (high - low) / 255, low, split, 4 * count, count);
      return floatsAt(split, 3 * count).slice();
    });
    return this.run(planes, [1, 3, height, width]);
  }

  /** Runs on an NCHW float32 tensor. Outputs have the order of the manifest. */
  async run(input: Float32Array, shape: readonly [number, number, number, number]): Promise<Outputs> {
    const tensor = new Tensor('float32', input, shape);
    const results = await this.#clock.measure(this.entry.role, () =>
      this.#network.run({ ...this.#parameters, [this.#inputName]: tensor }),
    );
    return this.#network.outputNames.map((name) => {
      const data = results[name]?.data;
      if (!(data instanceof Float32Array)) throw new Error(`${this.entry.id}: output ${name} is not float32`);
      return data;
    }) as Outputs;
  }
}

/** A network has at least one: see the manifest. */
type Outputs = [Float32Array, ...Float32Array[]];

/** What ran inside `session.run`, and for how long. */
class InferenceClock {
  #total = 0;
  #running = 0;
  #since = 0;
  readonly #recorded = new AsyncLocalStorage<Set<Role>>();

  /** Milliseconds during which at least one network ran. */
  get total(): number {
    return this.#running > 0 ? this.#total + performance.now() - this.#since : this.#total;
  }

  async measure<Result>(role: Role, run: () => Promise<Result>): Promise<Result> {
    if (this.#running++ === 0) this.#since = performance.now();
    try {
      return await run();
    } finally {
      if (--this.#running === 0) this.#total += performance.now() - this.#since;
      this.reuse(role);
    }
  }

  /** Adds the networks that `work` runs, also while others run beside it. */
  record<Result>(roles: Set<Role>, work: () => Result): Result {
    return this.#recorded.run(roles, work);
  }

  /** Records a network whose output of an earlier run is used again. */
  reuse(role: Role): void {
    this.#recorded.getStore()?.add(role);
  }
}

interface SessionsOptions {
  /** Folder of the manifest; default: that of the models package. */
  modelsFolder?: string | undefined;
  /** Per network; see {@link defaultThreads}. */
  threads?: number | undefined;
  /** ONNX Runtime's execution providers, preferred first; default: the processor. */
  providers?: readonly string[] | undefined;
}

/** Each verified and loaded once. */
export class Sessions {
  readonly clock = new InferenceClock();
  readonly #manifest: Manifest;
  readonly threads: number;
  #providers: readonly string[];
  readonly #byRole = new Map<Role, Promise<Session>>();

  constructor(manifest: Manifest, options: SessionsOptions | number = {}) {
    this.#manifest = manifest;
    const { threads, providers }: SessionsOptions = typeof options === 'number' ? { threads: options } : options;
    this.threads = threads ?? defaultThreads(availableParallelism());
    this.#providers = supported(providers ?? PROCESSOR);
  }

  static async open(options: SessionsOptions): Promise<Sessions> {
    return new Sessions(await readManifest(options.modelsFolder ?? modelsFolder()), options);
  }

  /** What recipes say of networks, in a fixed order. */
  referencesOf(roles: ReadonlySet<Role>): ModelReference[] {
    return ROLES.filter((role) => roles.has(role)).map((role) => {
      const { id, version, sha256 } = this.entryFor(role);
      return { id, version, sha256 };
    });
  }

  /** Equal for sessions of the same files and providers. */
  get fingerprint(): string {
    return [this.#providers, ...this.#manifest.models.map(({ role, sha256 }) => `${role}:${sha256}`)].join();
  }

  /** Entry of the model that the preferred execution provider runs in this role. */
  entryFor(role: Role): ModelEntry {
    return entryForRole(this.#manifest, role, this.#providers[0] ?? 'cpu');
  }

  get(role: Role): Promise<Session> {
    const known = this.#byRole.get(role);
    if (known) return known;
    const loading = this.#load(role);
    this.#byRole.set(role, loading);
    return loading;
  }

  /** A provider may be part of the runtime and still lack its device or driver. */
  async #load(role: Role): Promise<Session> {
    const providers = this.#providers;
    try {
      return await this.#loadBy(providers, role);
    } catch (error) {
      if (isProcessor(providers)) throw error;
      if (providers === this.#providers) {
        this.#providers = PROCESSOR;
        warn(`${error instanceof Error ? error.message : error}. The processor takes its place.`);
      }
      return await this.#loadBy(PROCESSOR, role);
    }
  }

  async #loadBy(providers: readonly string[], role: Role): Promise<Session> {
    const entry = entryForRole(this.#manifest, role, providers[0] ?? 'cpu');
    const bytes = await readVerified(this.#manifest, entry);
    const options: InferenceSession.SessionOptions = {
      executionProviders: [...providers],
      intraOpNumThreads: this.threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // An arena keeps pages between runs. The network that restores faces takes hundreds of megabytes a run: without, a
      // picture of 12 megapixels needs less memory. Patterns need more memory and are no faster.
      enableCpuMemArena: role !== 'restore-face',
      enableMemPattern: false,
      // Spinning threads block cores: without, 30 % less processor time and half the wall time on two busy cores.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    };
    const isThreaded = THREADED.includes(role) && isProcessor(providers);
    const loading: Promise<Network> = isThreaded
      ? loadInThread({ bytes, options })
      : InferenceSession.create(bytes, options);
    const network = await loading.catch((cause: Error) => {
      throw new ModelFileError(
        `The model ${entry.id} cannot be loaded by ${providers.join(', ')}: ${firstLine(cause)}`,
      );
    });
    assertTensors(entry, network);
    return new Session(entry, network, this.clock);
  }
}

/** Threads of a process that may use all cores. */
export const defaultThreads = (cores: number): number => Math.min(MAX_THREADS, cores);

const PROCESSOR: readonly string[] = ['cpu'];

const isProcessor = (providers: readonly string[]): boolean => providers.every((provider) => provider === 'cpu');

const warn = (message: string): void => process.emitWarning(`WORKER_INFERENCE_PROVIDERS: ${message}`);

/** The runtime ignores providers that it lacks; without any other the processor computes. */
function supported(providers: readonly string[]): readonly string[] {
  const present = listSupportedBackends().map(({ name }) => name);
  const usable = providers.filter((provider) => present.includes(provider));
  const missing = providers.filter((provider) => !usable.includes(provider));
  if (missing.length > 0) {
    warn(`${missing.join(', ')} is not part of this build of ONNX Runtime, which has ${present.join(', ')}.`);
  }
  return usable.length > 0 ? usable : PROCESSOR;
}

const firstLine = ({ message }: Error): string => message.split('\n', 1)[0] ?? message;
