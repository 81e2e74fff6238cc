import { Injectable } from '@nestjs/common';

/** Something that must work before this process is of use. */
export interface ReadinessCheck {
  readonly name: string;
  /** Rejects, or throws, when it does not work. */
  check(): Promise<unknown> | unknown;
}

export interface ReadinessReport {
  readonly status: 'ready' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
}

const PATIENCE_MS = 2_000;

/** Collects the checks of all parts and asks them all at once. */
@Injectable()
export class Readiness {
  private readonly checks: ReadinessCheck[] = [];

  register(check: ReadinessCheck): void {
    this.checks.push(check);
  }

  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(this.checks.map(async (check) => [check.name, await outcomeOf(check)] as const));
    const isReady = results.length > 0 && results.every(([, outcome]) => outcome === 'ok');
    return { status: isReady ? 'ready' : 'unavailable', checks: Object.fromEntries(results) };
  }
}

async function outcomeOf(check: ReadinessCheck): Promise<'ok' | 'failing'> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const tooLate = new Promise<'failing'>((resolve) => {
    patience.addEventListener('abort', () => resolve('failing'), { once: true });
  });
  const answer = (async () => check.check())().then(
    () => 'ok' as const,
    () => 'failing' as const,
  );
  return Promise.race([answer, tooLate]);
}
