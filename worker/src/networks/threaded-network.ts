import { Worker } from 'node:worker_threads';
import type { InferenceSession, Tensor } from 'onnxruntime-node';

export type Tensors = Pick<InferenceSession, 'inputNames' | 'outputNames' | 'inputMetadata' | 'outputMetadata'>;

type Outputs = Readonly<Record<string, { readonly data: unknown }>>;

export interface Network extends Tensors {
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Outputs>;
}

export interface Order {
  readonly bytes: Uint8Array;
  readonly options: InferenceSession.SessionOptions;
}

export interface RunOrder {
  readonly id: number;
  readonly feeds: Readonly<Record<string, Pick<Tensor, 'data' | 'dims'> & { readonly type: 'float32' | 'float64' }>>;
}

export type Answer =
  | { readonly kind: 'loaded'; readonly tensors: Tensors }
  | { readonly kind: 'outputs'; readonly id: number; readonly outputs: Outputs }
  | { readonly kind: 'failed'; readonly id: number | null; readonly message: string };

/** The thread's script: TypeScript when run from sources. */
const SCRIPT = new URL(`network-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** The process may end while the thread waits for work, not while it works. */
export async function loadInThread(order: Order): Promise<Network> {
  const thread = new Worker(SCRIPT, { workerData: order });
  const calls = new Calls(thread);
  const tensors = await calls.loaded;
  return { ...tensors, run: (feeds) => calls.run(feeds) };
}

interface Call {
  resolve(outputs: Outputs): void;
  reject(error: Error): void;
}

class Calls {
  readonly loaded: Promise<Tensors>;
  readonly #thread: Worker;
  readonly #pending = new Map<number, Call>();
  #nextId = 1;

  constructor(thread: Worker) {
    this.#thread = thread;
    this.loaded = new Promise((resolve, reject) => {
      thread.once('error', reject);
      thread.on('message', (answer: Answer) => {
        if (answer.kind === 'loaded') {
          // Without a listener, an error of the thread ends the process, which is started anew.
          thread.off('error', reject);
          resolve(answer.tensors);
        } else if (answer.kind === 'outputs') this.#end(answer.id, ({ resolve: end }) => end(answer.outputs));
        else if (answer.id === null) reject(new Error(answer.message));
        else this.#end(answer.id, ({ reject: end }) => end(new Error(answer.message)));
        if (this.#pending.size === 0) thread.unref();
      });
    });
  }

  run(feeds: Readonly<Record<string, Tensor>>): Promise<Outputs> {
    const id = this.#nextId++;
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      const plain = Object.entries(feeds).map(([name, { type, data, dims }]) => [name, { type, data, dims }]);
      this.#thread.postMessage({ id, feeds: Object.fromEntries(plain) });
    });
  }

  #end(id: number, end: (call: Call) => void): void {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (call) end(call);
  }
}
