import { availableParallelism } from 'node:os';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { entryForRole, type Manifest, type ModelEntry, type Role, readVerified } from './manifest.js';

/** More threads gain little on tiles of our size and starve other processes. */
const MAX_THREADS = 4;

/** A loaded network. Measures its own time, so that inference can be reported apart. */
export class Session {
  readonly entry: ModelEntry;
  readonly #session: InferenceSession;
  readonly #clock: InferenceClock;

  constructor(entry: ModelEntry, session: InferenceSession, clock: InferenceClock) {
    this.entry = entry;
    this.#session = session;
    this.#clock = clock;
  }

  /** Runs on one NCHW float32 tensor. Outputs come in the order of the manifest. */
  async run(input: Float32Array, shape: readonly [number, number, number, number]): Promise<Float32Array[]> {
    const { inputNames, outputNames } = this.#session;
    const [inputName = ''] = inputNames;
    const tensor = new Tensor('float32', input, shape);
    const start = performance.now();
    const results = await this.#session.run({ [inputName]: tensor });
    this.#clock.add(performance.now() - start);
    return outputNames.map((name) => {
      const data = results[name]?.data;
      if (!(data instanceof Float32Array)) throw new Error(`${this.entry.id}: output ${name} is not float32`);
      return data;
    });
  }
}

/** Total milliseconds inside `session.run`. */
export class InferenceClock {
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(milliseconds: number): void {
    this.#total += milliseconds;
  }
}

/** The networks of a process by role, each verified and loaded once. */
export class Sessions {
  readonly clock = new InferenceClock();
  readonly #manifest: Manifest;
  readonly #threads: number;
  readonly #byRole = new Map<Role, Promise<Session>>();

  constructor(manifest: Manifest, threads: number = inferenceThreads()) {
    this.#manifest = manifest;
    this.#threads = threads;
  }

  get(role: Role): Promise<Session> {
    const known = this.#byRole.get(role);
    if (known) return known;
    const loading = this.#load(role);
    this.#byRole.set(role, loading);
    return loading;
  }

  async #load(role: Role): Promise<Session> {
    const entry = entryForRole(this.#manifest, role);
    const bytes = await readVerified(this.#manifest, entry);
    const session = await InferenceSession.create(bytes, {
      intraOpNumThreads: this.#threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // Measured on a 160 x 160 tile of the large network: the arena with memory patterns peaks at 867 MB, without at
      // 561 MB and as fast; without the arena each run has to map fresh pages.
      enableCpuMemArena: true,
      enableMemPattern: false,
      // Spinning threads take cores from other processes. Without, on two busy cores: 30 % less processor time and half
      // the wall time.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
    return new Session(entry, session, this.clock);
  }
}

/** Threads of a process that has all cores. */
export const defaultThreads = (cores: number): number => Math.min(MAX_THREADS, cores);

/** `WORKER_INFERENCE_THREADS`, or else {@link defaultThreads}. */
function inferenceThreads(environment: NodeJS.ProcessEnv = process.env): number {
  const configured = environment.WORKER_INFERENCE_THREADS;
  if (!configured) return defaultThreads(availableParallelism());
  const threads = Number(configured);
  if (!Number.isInteger(threads) || threads < 1 || threads > 64) {
    throw new Error(`WORKER_INFERENCE_THREADS must be a whole number from 1 to 64, not "${configured}"`);
  }
  return threads;
}
