import type { DataSource } from 'typeorm';
import type { AuditService } from '../staff/audit/audit.service.js';

/** What a command of an operator works with. */
interface Workplace {
  readonly database: DataSource;
  readonly audit: AuditService;
  /** Who is at the keyboard, for the audit: `operator:…`. */
  readonly actor: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** One thing that operators can do with the database. */
export interface Command {
  /** What is typed behind `pnpm ops`, for instance `gift-codes create`. */
  readonly name: string;
  /** Arguments and options, as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  /** Returns what is printed. @throws UsageError for what nobody can do */
  run(args: readonly string[], workplace: Workplace): Promise<string>;
}

/** The operator asked for something that makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Columns side by side, as wide as their widest entry. */
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
