import type { InferenceSession } from 'onnxruntime-node';
import { type ModelEntry, ModelFileError } from './manifest.js';
import type { Tensors } from './threaded-network.js';

type Metadata = InferenceSession.ValueMetadata;
type Dimensions = readonly (number | string)[];

/** The picture's input: the one that isn't a parameter. */
export function pictureInput(entry: ModelEntry, { inputNames }: Tensors): string {
  const [name, ...others] = inputNames.filter((each) => !isParameter(entry, each));
  if (name === undefined || others.length > 0) {
    const parameters = (entry.parameters ?? []).map((parameter) => parameter.name);
    throw mismatch(
      entry,
      `has the inputs ${list(inputNames)}, one of which must remain beside the parameters ${list(parameters)}`,
    );
  }
  return name;
}

/** @throws {@link ModelFileError} for the first difference between a loaded file and its entry */
export function assertTensors(entry: ModelEntry, session: Tensors): void {
  const picture = pictureInput(entry, session);
  for (const metadata of session.inputMetadata) {
    if (metadata.name === picture) assertTensor(entry, metadata, 'float32', entry.input.shape);
  }
  for (const { name, dtype, values } of entry.parameters ?? []) {
    const metadata = session.inputMetadata.find((each) => each.name === name);
    if (!metadata) throw mismatch(entry, `has no input ${name}`);
    assertTensor(entry, metadata, dtype, [values.length]);
  }
  for (const [index, { name, shape }] of entry.outputs.entries()) {
    const metadata = session.outputMetadata[index];
    if (!metadata)
      throw mismatch(
        entry,
        `has ${session.outputMetadata.length} outputs, but the manifest says ${entry.outputs.length} (${name})`,
      );
    assertTensor(entry, metadata, 'float32', shape);
  }
}

function assertTensor(entry: ModelEntry, metadata: Metadata, dtype: string, shape: Dimensions): void {
  if (!metadata.isTensor) throw mismatch(entry, `has ${metadata.name}, which is no tensor`);
  const actual = metadata.shape;
  if (
    metadata.type !== dtype ||
    actual.length !== shape.length ||
    !shape.every((size, axis) => fits(size, actual[axis]))
  ) {
    const described = `${metadata.type}[${actual.join(', ')}]`;
    throw mismatch(entry, `has ${metadata.name} as ${described}, but the manifest says ${dtype}[${shape.join(', ')}]`);
  }
}

/** The manifest may fix a size that is dynamic in the file, not vice versa. */
function fits(wanted: number | string, actual: number | string | undefined): boolean {
  return typeof actual === 'number' && actual >= 0 ? actual === wanted : actual !== undefined;
}

const isParameter = ({ parameters = [] }: ModelEntry, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

const list = (names: readonly string[]): string => (names.length === 0 ? '(none)' : names.join(', '));

const mismatch = (entry: ModelEntry, difference: string): ModelFileError =>
  new ModelFileError(`The model file ${entry.file} (${entry.id}) ${difference}`);
