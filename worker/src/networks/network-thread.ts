/**
 * Runs a network in a thread, which ONNX Runtime blocks. Imports no own modules: it runs from sources and build alike.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Answer, Order, RunOrder } from './threaded-network.js';

const { bytes, options }: Order = workerData;
const post = (answer: Answer, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, moved);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

try {
  const session = await InferenceSession.create(bytes, options);
  const { inputNames, outputNames, inputMetadata, outputMetadata } = session;
  parentPort?.on('message', async ({ id, feeds }: RunOrder) => {
    try {
      const inputs = Object.entries(feeds).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]);
      const results = await session.run(Object.fromEntries(inputs));
      const outputs = Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, { data }]));
      // Moved: megabytes for each tile, which nothing reads here.
      const buffers = Object.values(results).map(({ data }) => (data as Float32Array<ArrayBuffer>).buffer);
      post({ kind: 'outputs', id, outputs }, buffers);
    } catch (error) {
      post({ kind: 'failed', id, message: messageOf(error) });
    }
  });
  post({ kind: 'loaded', tensors: { inputNames, outputNames, inputMetadata, outputMetadata } });
} catch (error) {
  post({ kind: 'failed', id: null, message: messageOf(error) });
}
