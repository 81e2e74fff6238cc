import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../results/', import.meta.url));

export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...body] = rows.map((row) => row.map(String));
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The widest vectors that networks and codecs can use. Linux only. */
const instructionSet = (): string => {
  const info = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  return /\bavx512f\b/.test(info) ? 'AVX-512' : /\bavx2\b/.test(info) ? 'AVX2' : 'neither AVX2 nor AVX-512';
};

export async function publish(name: string, title: string, text: string): Promise<void> {
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, ${instructionSet()}, Node ${process.versions.node}`;
  const page = `# ${title}\n\n${machine}\n\n${text}\n`;
  console.log(page);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}${name}.md`, page);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
