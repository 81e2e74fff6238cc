import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Product } from './product.ts';

const OPS = fileURLToPath(new URL('../../../ops/ops.mjs', import.meta.url));

/** Runs `pnpm ops` on a product's database. @returns its output */
export async function runOps({ dataFolder }: Pick<Product, 'dataFolder'>, ...args: string[]): Promise<string> {
  const { DATABASE_URL: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [OPS, ...args], {
    env: { ...env, CLEARFRAME_DATA: dataFolder },
  });
  return stdout;
}
