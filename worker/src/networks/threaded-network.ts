import { fileURLToPath } from 'node:url';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { Piscina } from 'piscina';

export type Tensors = Pick<InferenceSession, 'inputNames' | 'outputNames' | 'inputMetadata' | 'outputMetadata'>;

export type Outputs = Readonly<Record<string, { readonly data: unknown }>>;

export type Feeds = Readonly<Record<string, Pick<Tensor, 'data' | 'dims'> & { readonly type: 'float32' | 'float64' }>>;

export interface Network extends Tensors {
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Outputs>;
}

/** The thread's script: TypeScript when run from sources. */
const SCRIPT = new URL(`network-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

/** Runs that wait in the thread instead of here, so that it goes on while this thread is busy. */
const RUNS_AHEAD = 16;

export interface Order {
  readonly bytes: Uint8Array;
  readonly options: InferenceSession.SessionOptions;
}

/** The process may end while the thread waits for work, not while it works. */
export async function loadInThread(order: Order): Promise<Network> {
  const thread = new Piscina({
    filename: fileURLToPath(SCRIPT),
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: RUNS_AHEAD,
  });
  try {
    const tensors: Tensors = await thread.run(order, { name: 'load' });
    // Without its thread the network can't go on: this ends the process, which is started anew.
    thread.once('workerDestroy', () => {
      throw new Error('a network has lost its thread');
    });
    return { ...tensors, run: (feeds) => thread.run(plain(feeds), { name: 'run' }) };
  } catch (error) {
    await thread.destroy();
    throw error;
  }
}

const plain = (feeds: Readonly<Record<string, Tensor>>) =>
  Object.fromEntries(Object.entries(feeds).map(([name, { type, data, dims }]) => [name, { type, data, dims }]));
