/** Runs a network in a thread, which ONNX Runtime blocks. Imports no own modules: it runs from sources and build alike. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Feeds, Order, Outputs, Tensors } from './threaded-network.js';

let session: InferenceSession | undefined;

export async function load({ bytes, options }: Order): Promise<Tensors> {
  session = await InferenceSession.create(bytes, options);
  const { inputNames, outputNames, inputMetadata, outputMetadata } = session;
  return { inputNames, outputNames, inputMetadata, outputMetadata };
}

export async function run(feeds: Feeds): Promise<unknown> {
  if (!session) throw new Error('the network is not loaded');
  const inputs = Object.entries(feeds).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]);
  const results = Object.entries(await session.run(Object.fromEntries(inputs)));
  const outputs: Outputs = Object.fromEntries(results.map(([name, { data }]) => [name, { data }]));
  // Moved: megabytes for each tile, which nothing reads here.
  return move({
    [valueSymbol]: outputs,
    [transferableSymbol]: results.map(([, { data }]) => (data as Float32Array).buffer),
  });
}
