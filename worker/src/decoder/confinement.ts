import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);
const inRoot = (path: string): string => fileURLToPath(new URL(path, root));

const PERL = '/usr/bin/perl';
const SCRIPT = inRoot('worker/confinement/confine.pl');

/** Programs and libraries, and what Node looks up. No folder of these holds pictures, settings or secrets. */
const READABLE = [
  ...['/usr', '/lib', '/lib64', '/etc/ld.so.cache', '/dev/null', '/dev/urandom'],
  ...['node_modules', 'package.json', 'contract', 'runtime', 'worker'].map(inRoot),
];

/** Bytes of a file, seconds of processor time, and numbers. A picture of 100 megapixels is written in 800 MB. */
const LIMITS = { fsize: 2_000_000_000, cpu: 1_000, core: 0, nofile: 256 } as const;

/** A process that opens untrusted bytes has no other variables: not those with credentials. */
export const PLAIN_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  NODE_ENV: process.env.NODE_ENV,
  // Node reads one at its start.
  OPENSSL_CONF: '/dev/null',
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX,
};

/** Whether this machine can run `worker/confinement/confine.pl`. */
export const canConfine = (): boolean => process.platform === 'linux' && existsSync(PERL);

interface Confines {
  /** Files and folders, beside those of the program. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly maxMemoryBytes: number;
}

/**
 * How Node is run without network, other processes and files other than these, within limits of memory, files and time. Its process
 * has the same id, descriptors and channel as it would have without.
 */
export function confinedNode({ read, write, maxMemoryBytes }: Confines): { execPath: string; execArgv: string[] } {
  const node = realpathSync(process.execPath);
  const each = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value]);
  return {
    execPath: PERL,
    execArgv: [
      SCRIPT,
      ...each(
        '--limit',
        Object.entries({ ...LIMITS, data: maxMemoryBytes }).map(([name, value]) => `${name}=${value}`),
      ),
      ...each('--run', [node]),
      ...each('--read', [...READABLE, ...read]),
      ...each('--write', write),
      '--',
      node,
    ],
  };
}
