import type { Preprocessing } from './tfjs-converter.ts';

export interface SourcePackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of npm's tarball, checked by pacote. */
  readonly integrity: string;
}

export interface TensorContract {
  readonly name: string;
  readonly meaning: string;
  readonly layout: 'NCHW' | 'NHWC' | 'flat';
  readonly dtype: 'float32';
  readonly range?: readonly [number, number];
  readonly shape: readonly (number | string)[];
}

/**
 * A network that was trained or turned into bytes here (models/train, distill, quantize): its weights are committed, and the rebuild checks
 * their hash.
 */
export type TrainedNetwork = Omit<Network, 'source' | 'files' | 'format' | 'preprocessing'> & {
  readonly sha256: string;
};

export interface Network {
  readonly id: string;
  readonly role: string;
  readonly version: string;
  readonly source: SourcePackage;
  readonly files: { readonly graph: string; readonly weights: string };
  readonly format: 'ncnn' | 'tfjs';
  readonly licence: { readonly spdx: string; readonly notice: string };
  readonly input: TensorContract;
  /** In the order of the ONNX file. */
  readonly outputs: readonly (TensorContract & { readonly sourceNode?: string })[];
  /** Output pixels per input pixel, for upscaling networks. */
  readonly scale?: number;
  /** Where an aligned face lies in the input, in 0..1 of its sides: eyes, nose tip and mouth corners. */
  readonly alignment?: readonly (readonly [number, number])[];
  readonly preprocessing?: Preprocessing;
}
