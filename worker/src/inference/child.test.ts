import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';|^import '([^']+)';/gm;

/** Packages that a module loads, itself and by its relative imports. */
async function packagesOf(module: URL, seen = new Set<string>()): Promise<Set<string>> {
  const packages = new Set<string>();
  if (seen.has(module.href)) return packages;
  seen.add(module.href);
  for (const [, named, bare] of (await readFile(module, 'utf8')).matchAll(IMPORT)) {
    const from = named ?? bare ?? '';
    const loaded = from.startsWith('.')
      ? await packagesOf(new URL(from.replace(/\.js$/, '.ts'), module), seen)
      : [from];
    for (const name of loaded) packages.add(name);
  }
  return packages;
}

it('loads neither NestJS nor the contract of the routes, whose objects each garbage collection would visit', async () => {
  const packages = await packagesOf(new URL('./child.ts', import.meta.url));
  expect(packages).toContain('onnxruntime-node');
  expect([...packages].filter((name) => /^@(nestjs|clearframe)\//.test(name)).toSorted()).toEqual([
    '@clearframe/contract/pipeline',
    '@clearframe/runtime/environment',
  ]);
});
