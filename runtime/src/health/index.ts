import { inMilliseconds } from '@clearframe/contract';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { withTimeout } from '../concurrency/index.js';

/** `name` is unique in a process. */
export interface ReadinessCheckOptions {
  readonly name: string;
  /** The process serves without it: the report becomes `degraded`, the status code stays 200. */
  readonly isOptional?: boolean;
}

/** The report shows its message. Those of other errors can name hosts. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

export interface Dependency {
  /** Rejects or throws while the dependency is unavailable. */
  check(): Promise<unknown> | unknown;
}

/** Declares a {@link Dependency} as a readiness check; `HealthModule.requiring` lists its name. */
export const ReadinessCheck = DiscoveryService.createDecorator<ReadinessCheckOptions>();

/** Token of the names of the checks that a process must declare. */
export const REQUIRED_CHECKS = Symbol('required readiness checks');

const CHECK_TIMEOUT_MS = inMilliseconds.seconds(2);

/** Body of `/readyz`. */
export interface ReadinessReport {
  /** `degraded`: an optional dependency is down. */
  readonly status: 'ready' | 'degraded' | 'not_ready';
  readonly dependencies: Readonly<Record<string, 'up' | 'down'>>;
  /** Of dependencies that are down and say why. */
  readonly reasons?: Readonly<Record<string, string>>;
}

interface Check extends ReadinessCheckOptions {
  readonly dependency: Dependency;
}

const unanswered = () => {
  throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`);
};

/** The reason why a dependency is down, which may be empty; null while it is up. */
async function failureOf({ dependency }: Check): Promise<string | null> {
  const check = async () => dependency.check();
  try {
    await withTimeout(check(), CHECK_TIMEOUT_MS, unanswered);
    return null;
  } catch (error) {
    return error instanceof NotReadyError ? error.message : '';
  }
}

@Injectable()
export class Readiness implements OnModuleInit, BeforeApplicationShutdown {
  private checks: readonly Check[] = [];
  private isServing = false;

  constructor(
    @Inject(REQUIRED_CHECKS) private readonly required: readonly string[],
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws Error for a missing, duplicate or unlisted check */
  onModuleInit(): void {
    const checks = this.discovery.getProviders({ metadataKey: ReadinessCheck.KEY }).flatMap((wrapper): Check[] => {
      const options = this.discovery.getMetadataByDecorator(ReadinessCheck, wrapper);
      return options ? [{ ...options, dependency: wrapper.instance }] : [];
    });
    const list = (names: readonly string[]) => names.toSorted().join(', ') || 'none';
    const [declared, required] = [list(checks.map(({ name }) => name)), list(this.required)];
    if (declared !== required) throw new Error(`readiness checks: ${required} are required, ${declared} are declared`);
    this.checks = checks;
    this.isServing = true;
  }

  beforeApplicationShutdown(): void {
    this.isServing = false;
  }

  /** Runs all checks concurrently, for at most 2 s. `not_ready` during shutdown. */
  async report(): Promise<ReadinessReport> {
    const results = await Promise.all(
      this.checks.map(async (check) => ({ ...check, failure: await failureOf(check) })),
    );
    const failed = results.filter(({ failure }) => failure !== null);
    const reasons = failed.filter(({ failure }) => failure).map(({ name, failure }) => [name, failure]);
    const isReady = this.isServing && failed.every(({ isOptional }) => isOptional);
    return {
      status: !isReady ? 'not_ready' : failed.length > 0 ? 'degraded' : 'ready',
      dependencies: Object.fromEntries(results.map(({ name, failure }) => [name, failure === null ? 'up' : 'down'])),
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    };
  }
}

@Module({})
export class HealthModule {
  /** @param names of the readiness checks; the boot fails unless exactly these are declared */
  static requiring(...names: readonly string[]): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [Readiness, { provide: REQUIRED_CHECKS, useValue: names }],
      exports: [Readiness],
    };
  }
}
