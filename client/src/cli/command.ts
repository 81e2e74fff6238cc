import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Clearframe } from '../clearframe.ts';

export interface Option extends ParseArgsOptionDescriptor {
  /** Name of its value in the help; absent for switches. */
  readonly value?: string;
  readonly help: string;
  /** Offered by the completion. */
  readonly choices?: readonly string[];
}

export interface Call {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** With the key of the call. @throws UsageError without one */
  client(): Promise<Clearframe>;
  /** The result of the command, on standard output. */
  print(line: string): void;
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Behind the name in the help. */
  readonly usage: string;
  readonly summary: string;
  readonly details?: string;
  readonly examples?: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** @returns the exit code */
  run(call: Call): Promise<number>;
}

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  key: { type: 'string', value: 'KEY', help: 'API key; better: CLEARFRAME_API_KEY, or `clearframe login`' },
  url: { type: 'string', value: 'URL', help: 'where Clearframe runs; also CLEARFRAME_URL' },
  json: { type: 'boolean', help: 'print JSON, one object a line' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
};

export const textOf = ({ values }: Call, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
