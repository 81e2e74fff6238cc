import type { DataSource } from 'typeorm';
import type { AuditRepository } from '../audit/audit.repository.js';

export interface CommandContext {
  readonly database: DataSource;
  readonly audit: AuditRepository;
  /** `operator:…`, for the audit log. */
  readonly actor: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  /** For instance `gift-codes create`. */
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Returns the text to print. @throws UsageError */
  run(args: readonly string[], context: CommandContext): Promise<string>;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
