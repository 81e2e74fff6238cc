/** Part of `pnpm lint`: no circle of folders in any room, also none that runs through folders within them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { circlesOf, entanglementsOf, type Import } from './import-circles.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = ['api', 'bench', 'contract', 'models', 'ops', 'runtime', 'sandbox', 'tests', 'web', 'worker'];
const EXCLUDED = ['**/node_modules/**', '**/dist/**', '**/build/**', '**/*.test.{ts,tsx,mjs}', '**/*.d.ts'];

const files = ROOMS.flatMap((room) => globSync(`${room}/**/*.{ts,tsx,mjs}`, { cwd: ROOT, exclude: EXCLUDED })).map(
  (file) => file.split(path.sep).join('/'),
);

function resolved(from: string, specifier: string): string[] {
  const target = path.posix.join(path.posix.dirname(from), specifier.replace(/\.js$/, ''));
  const found = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find(
    (file) => /\.(tsx?|mjs)$/.test(file) && existsSync(path.join(ROOT, file)),
  );
  return found ? [found] : [];
}

const importsOf = (file: string): Import[] =>
  ts
    .preProcessFile(readFileSync(path.join(ROOT, file), 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .flatMap(({ fileName }) => resolved(file, fileName).map((to): Import => [file, to]));

const imports = files.flatMap(importsOf);
const circles = [...circlesOf(imports), ...entanglementsOf(imports)];
for (const circle of circles) {
  console.error(['circle of folders:', ...circle.map(([from, to]) => `  ${from} → ${to}`)].join('\n'));
}
if (circles.length > 0) process.exitCode = 1;
else console.log(`no circle of folders in ${files.length} files`);
