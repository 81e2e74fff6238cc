import type { Bytes } from './protobuf.ts';
import { type Convert, dataInputs, image, type Preprocessing, type Tensor, TfjsConverter } from './tfjs-converter.ts';
import { type GraphNode, readTfjsModel, transpose } from './tfjs-weights.ts';

interface TfjsOptions {
  readonly inputShape: readonly number[];
  /** Values that the network expects, where it differs from RGB in the manifest's range. */
  readonly preprocessing?: Preprocessing;
  readonly outputs: readonly { readonly node: string; readonly name: string; readonly shape: readonly number[] }[];
}

/** Converts a small convolutional tfjs graph model to ONNX with NCHW images. */
export function convertTfjs(json: string, bin: Uint8Array, options: TfjsOptions): Bytes {
  const converter = new TfjsConverter(readTfjsModel(json, bin), OPERATIONS, options.preprocessing);
  const { graph } = converter;
  graph.input('input', options.inputShape);
  for (const output of options.outputs) {
    graph.node('Identity', [converter.tensor(output.node).name], {}, output.name);
    graph.output(output.name, output.shape);
  }
  return graph.serialize();
}

function elementwise(operator: string): Convert {
  return (converter, node) => {
    const inputs = converter.inputs(node);
    const name = converter.graph.node(
      operator,
      inputs.map((input) => input.name),
    );
    return { name, flat: inputs.some((input) => input.flat) };
  };
}

function pool(operator: string): Convert {
  return (converter, node) =>
    image(
      converter.graph.node(operator, [converter.input(node, 0).name], {
        kernel_shape: spatial(node, 'ksize'),
        strides: spatial(node, 'strides'),
        auto_pad: autoPad(node),
      }),
    );
}

const clipToSix: Convert = (converter, node) =>
  image(converter.activate('Relu6', converter.input(node, 0).name, undefined));

const OPERATIONS: Readonly<Record<string, Convert>> = {
  Placeholder: (converter) => image(converter.preprocessed()),
  Identity: (converter, node) => converter.input(node, 0),
  Conv2D: convolution,
  _FusedConv2D: convolution,
  DepthwiseConv2dNative: convolution,
  FusedDepthwiseConv2dNative: convolution,
  Conv2DBackpropInput: transposedConvolution,
  MaxPool: pool('MaxPool'),
  AvgPool: pool('AveragePool'),
  Add: elementwise('Add'),
  AddV2: elementwise('Add'),
  BiasAdd: elementwise('Add'),
  AddN: elementwise('Sum'),
  Mul: elementwise('Mul'),
  Minimum: elementwise('Min'),
  Maximum: elementwise('Max'),
  Relu: elementwise('Relu'),
  Sigmoid: elementwise('Sigmoid'),
  Prelu: elementwise('PRelu'),
  Relu6: clipToSix,
  Pad: (converter, node) => {
    const pads = converter.integers(node, 1);
    const before = [0, 3, 1, 2].map((axis) => pads[axis * 2] ?? 0);
    const after = [0, 3, 1, 2].map((axis) => pads[axis * 2 + 1] ?? 0);
    return image(
      converter.graph.node('Pad', [converter.input(node, 0).name, converter.graph.ints([...before, ...after])]),
    );
  },
  Mean: (converter, node) => {
    const axes = converter.integers(node, 1);
    if (axes.join() !== '1,2' || node.attr.keep_dims?.b) throw new Error(`${node.name}: only pooling is supported`);
    const pooled = converter.graph.node('GlobalAveragePool', [converter.input(node, 0).name]);
    return { name: converter.graph.node('Flatten', [pooled]), flat: true };
  },
  ConcatV2: (converter, node) => {
    const inputs = dataInputs(node)
      .slice(0, -1)
      .map((name) => converter.tensor(name));
    const axis = converter.integers(node, inputs.length)[0] ?? -1;
    const flat = inputs.every((input) => input.flat);
    // Channels are axis 3 (or -1) in NHWC, axis 1 in NCHW.
    const moved = [0, 2, 3, 1][(axis + 4) % 4] ?? 1;
    const name = converter.graph.node(
      'Concat',
      inputs.map((input) => input.name),
      { axis: flat ? axis : moved },
    );
    return { name, flat };
  },
  ResizeBilinear: (converter, node) => {
    const size = converter.graph.ints(converter.integers(node, 1));
    const corners = node.attr.align_corners?.b ? 'align_corners' : 'asymmetric';
    return image(
      converter.graph.node('Resize', [converter.input(node, 0).name, '', '', size], {
        mode: 'linear',
        axes: [2, 3],
        coordinate_transformation_mode: node.attr.half_pixel_centers?.b ? 'half_pixel' : corners,
      }),
    );
  },
  Reshape: (converter, node) => {
    const source = converter.flatten(converter.input(node, 0));
    const [batch = 1, ...rest] = converter.integers(node, 1);
    const shape = converter.graph.ints([Math.max(batch, 1), ...rest]);
    return { name: converter.graph.node('Reshape', [source, shape]), flat: true };
  },
};

function convolution(converter: TfjsConverter, node: GraphNode): Tensor {
  const { graph } = converter;
  const kernel = converter.floats(node, 1);
  const [height = 1, width = 1, channels = 1, multiplier = 1] = kernel.shape;
  const depthwise = node.op.includes('Depthwise');
  // TensorFlow: height, width, in, out (or multiplier). ONNX: out, in, height, width; depthwise kernels have one input
  // each and out = in * multiplier.
  const shape = depthwise ? [channels * multiplier, 1, height, width] : [multiplier, channels, height, width];
  const weights = transpose(kernel, depthwise ? [2, 3, 0, 1] : [3, 2, 0, 1]);
  const fused = (node.attr.fused_ops?.list?.s ?? []).map(decode);
  const bias = fused[0] === 'BiasAdd' ? [converter.constant(converter.floats(node, 2), [shape[0] ?? 1])] : [];
  const convolved = graph.node(
    'Conv',
    [converter.input(node, 0).name, graph.weights(graph.unique('weight'), shape, weights), ...bias],
    {
      kernel_shape: [height, width],
      strides: spatial(node, 'strides'),
      group: depthwise ? channels : 1,
      auto_pad: autoPad(node),
    },
  );
  const activations = fused.filter((operator) => operator !== 'BiasAdd');
  const slope = activations.includes('Prelu') ? converter.input(node, 3).name : undefined;
  return image(activations.reduce((name, operator) => converter.activate(operator, name, slope), convolved));
}

function transposedConvolution(converter: TfjsConverter, node: GraphNode): Tensor {
  const { graph } = converter;
  const [, height = 0, width = 0] = converter.integers(node, 0);
  const kernel = converter.floats(node, 1);
  const [kernelHeight = 1, kernelWidth = 1, outputs = 1, inputs = 1] = kernel.shape;
  const weights = transpose(kernel, [3, 2, 0, 1]);
  const shape = [inputs, outputs, kernelHeight, kernelWidth];
  return image(
    graph.node(
      'ConvTranspose',
      [converter.input(node, 2).name, graph.weights(graph.unique('weight'), shape, weights)],
      {
        kernel_shape: [kernelHeight, kernelWidth],
        strides: spatial(node, 'strides'),
        output_shape: [height, width],
        auto_pad: autoPad(node),
      },
    ),
  );
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function spatial(node: GraphNode, attribute: string): number[] {
  return (node.attr[attribute]?.list?.i ?? []).slice(1, 3);
}

function autoPad(node: GraphNode): string {
  return decode(node.attr.padding?.s ?? '') === 'SAME' ? 'SAME_UPPER' : 'VALID';
}
